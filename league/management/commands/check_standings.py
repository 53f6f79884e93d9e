"""`manage.py check_standings`: the nightly recount by hand, of all seasons, closed ones too."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.models import Season
from league.services import recounts


class Command(BaseCommand):
    help = "Counts the standings of all seasons from scratch, and puts right what differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--club", help="short name of the one club whose seasons are counted")
        parser.add_argument("--only-look", action="store_true", help="say what differs and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        seasons = Season.objects.select_related("club", "league").order_by("pk")
        if options["club"]:
            seasons = seasons.filter(club__slug=options["club"])
        differing = 0
        for season in seasons:
            players = recounts.check(season_id=season.pk, now=timezone.now(), repair=not options["only_look"])
            if players:
                differing += 1
                named = ", ".join(map(str, players))
                self.stdout.write(
                    f"{season.club.slug}/{season.league.slug}/{season.slug}: differed for players {named}"
                )
        self.stdout.write(f"{len(seasons)} seasons counted, {differing} differed.")
        if differing:
            raise CommandError("Standings differed from the results; please report how that came to be.")
