"""Tournaments with their stages and who entered: what a client sends, and what answers."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    PageQuerySerializer,
    StrictSerializer,
    id_field,
    many,
    ordering_field,
    search_field,
    slug_field,
)
from api.serializers.bot_matches import ProgressSerializer
from api.serializers.fields import (
    BooleanField,
    ChoiceField,
    DateField,
    IntegerField,
    NumberField,
    PlayerReferenceField,
    QueryBooleanField,
    QuerySeasonField,
    SeasonReferenceField,
    TextField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from games.core import SEED_LIMIT
from league.models import (
    EntryStatus,
    Job,
    JobState,
    PairWish,
    PairWishKind,
    SessionFormat,
    Stage,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentMetric,
    TournamentStatus,
    Visibility,
)
from league.models.ratings import FAMILIES
from league.scoring.tie_breaks import TIE_BREAKS
from league.services import tie_break_words
from league.services.tournament_entries import LARGEST_ENTRIES, LARGEST_ROUND, LARGEST_TABLE_NUMBER, EntryInput
from league.services.tournament_formats import (
    LARGEST_BEST_OF,
    LARGEST_GROUPS,
    LARGEST_ROUNDS,
    LARGEST_STAGES,
    StageInput,
)
from league.services.tournament_sheets import NamedEntry
from league.services.tournaments import LARGEST_GAMES, LARGEST_MINUTES, LARGEST_SCORE, LARGEST_TABLE, LONGEST

# So many enter in one request.
LARGEST_BATCH = 1000
# What a wish is taken back by.
NO_WISH = "none"
WISHES = [*PairWishKind.choices, (NO_WISH, _("as it comes"))]
TIE_BREAK_CODES = [(code, name) for code, name in tie_break_words.NAMES.items() if code in TIE_BREAKS]

# --- In ---------------------------------------------------------------------------------------------------------------


class StageOptionsSerializer(StrictSerializer):
    """What a format asks; which of these it has stands in the guide. What is left out is as usual."""

    rounds = IntegerField(
        min_value=1, max_value=LARGEST_ROUNDS, required=False, help_text=_("How many tournament rounds it has.")
    )
    double = BooleanField(required=False, help_text=_("Round robin: everybody meets everybody twice."))
    allow_rematches = BooleanField(required=False, help_text=_("Swiss system for two: where no other pairing is left."))
    best_of = IntegerField(
        min_value=1, max_value=LARGEST_BEST_OF, required=False, help_text=_("Brackets: an odd number of games.")
    )
    best_of_last = serializers.ListField(
        child=IntegerField(min_value=1, max_value=LARGEST_BEST_OF),
        required=False,
        max_length=10,
        help_text=_("Brackets: the same for the last rounds, the final first."),
    )
    third_place = BooleanField(required=False)
    grand_final = ChoiceField(["reset", "simple", "none"], required=False)
    best_next = IntegerField(
        min_value=0,
        max_value=LARGEST_GROUPS - 1,
        required=False,
        help_text=_("Groups: how many more go on, the best of those next behind."),
    )
    crossing = BooleanField(required=False, help_text=_("Final tables: the groups are mixed."))


class NewStageSerializer(StrictSerializer):
    """A part of a tournament that is played by one format."""

    format = ChoiceField(StageFormat.choices)
    options = StageOptionsSerializer(default=dict)
    groups = IntegerField(min_value=1, max_value=LARGEST_GROUPS, default=1)
    advance = IntegerField(
        min_value=1,
        max_value=1000,
        default=None,
        allow_null=True,
        help_text=_("How many of each group go on into the next stage; null: all."),
    )

    def validate(self, attrs: Any) -> StageInput:
        return StageInput(**attrs)


class ScoresSerializer(StrictSerializer):
    """What results are worth, with at most two decimals; what is left out is as usual."""

    win = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    draw = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    loss = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    bye = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    forfeit_win = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    forfeit_loss = NumberField(min_value=0, max_value=LARGEST_SCORE, required=False)
    place_points = serializers.ListField(
        child=NumberField(min_value=0, max_value=LARGEST_SCORE),
        required=False,
        max_length=LARGEST_TABLE,
        help_text=_("By place, from the first down."),
    )


class _TournamentFields(StrictSerializer):
    season = SeasonReferenceField(
        required=False, allow_null=True, help_text=_("An open season where the tables count, too; null: none.")
    )
    location = TextField(max_length=LONGEST["location"], required=False, allow_blank=True)
    note = TextField(max_length=LONGEST["note"], required=False, allow_blank=True)
    announcement = TextField(max_length=LONGEST["announcement"], required=False, allow_blank=True)
    visibility = ChoiceField(Visibility.choices, required=False)
    game = TextField(
        max_length=30,
        required=False,
        allow_blank=True,
        help_text=_("The key of the game of a single game or a series; empty for the other formats."),
    )
    games_per_table = IntegerField(
        min_value=1, max_value=LARGEST_GAMES, required=False, help_text=_("How many games a table plays.")
    )
    minimum = IntegerField(
        min_value=1,
        max_value=9,
        required=False,
        allow_null=True,
        help_text=_("The Game: cards to be played in a turn, alike at all tables."),
    )
    table_size = IntegerField(
        min_value=2, max_value=LARGEST_TABLE, required=False, help_text=_("Preferred players at a table.")
    )
    metric = ChoiceField(TournamentMetric.choices, required=False, help_text=_("What is added up."))
    scores = ScoresSerializer(required=False)
    tie_breaks = serializers.ListField(
        child=ChoiceField(TIE_BREAK_CODES),
        required=False,
        max_length=len(TIE_BREAKS),
        help_text=_("Codes, the first decides first."),
    )
    seed = IntegerField(
        min_value=0, max_value=SEED_LIMIT - 1, required=False, help_text=_("Of all draws. Left out: any.")
    )
    round_minutes = IntegerField(min_value=1, max_value=LARGEST_MINUTES, required=False, allow_null=True)


class NewTournamentSerializer(_TournamentFields):
    """A tournament to be made, with its stages in the order played."""

    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)
    starts_on = DateField()
    session_format = ChoiceField(SessionFormat.choices, help_text=_("What is played at a table."))
    stages = many(NewStageSerializer, allow_empty=False, max_length=LARGEST_STAGES)


class TournamentChangeSerializer(_TournamentFields, ChangeSerializer):
    """What to change. Once it has begun: its texts, day, visibility, clock and tie-breaks."""

    name = TextField(max_length=100, required=False)
    slug = slug_field(required=False)
    starts_on = DateField(required=False)
    session_format = ChoiceField(SessionFormat.choices, required=False, help_text=_("What is played at a table."))
    stages = many(NewStageSerializer, required=False, allow_empty=False, max_length=LARGEST_STAGES)


class StartSerializer(StrictSerializer):
    """How a tournament begins."""

    only_checked_in = BooleanField(default=False, help_text=_("true: who is not checked in did not come."))


class CloneSerializer(StrictSerializer):
    """The new tournament that is like another one."""

    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)
    starts_on = DateField()
    entries = BooleanField(default=False, help_text=_("Whether the same players enter it."))


class InvitationSerializer(StrictSerializer):
    """Whether players of other clubs can enter by themselves."""

    is_open = BooleanField(help_text=_("true: by a new key, with which older ones end; false: no more."))


class NewEntrySerializer(StrictSerializer):
    """Who enters: a player of the club, or a guest by name."""

    player = PlayerReferenceField(default=None, allow_null=True)
    guest = TextField(max_length=60, default="", allow_blank=True, help_text=_("The name of one who is no player yet."))
    home_club = TextField(max_length=100, default="", allow_blank=True, help_text=_("Of a guest."))
    first_round = IntegerField(
        min_value=1, max_value=LARGEST_ROUND, default=None, allow_null=True, help_text=_("Left out: the next one.")
    )
    fixed_table = IntegerField(min_value=1, max_value=LARGEST_TABLE_NUMBER, default=None, allow_null=True)
    checked_in = BooleanField(default=False)

    def validate(self, attrs: Any) -> EntryInput:
        return EntryInput(**attrs)


class NewEntriesSerializer(StrictSerializer):
    """Who enters, all or none."""

    entries = many(NewEntrySerializer, allow_empty=False, max_length=LARGEST_BATCH)


class EntryChangeSerializer(ChangeSerializer):
    """What to change of an entry."""

    home_club = TextField(max_length=100, required=False, allow_blank=True)
    first_round = IntegerField(min_value=1, max_value=LARGEST_ROUND, required=False)
    fixed_table = IntegerField(min_value=1, max_value=LARGEST_TABLE_NUMBER, required=False, allow_null=True)


class WithdrawSerializer(StrictSerializer):
    """That an entry drops out."""

    no_show = BooleanField(default=False, help_text=_("true: it never came."))


class SitOutSerializer(StrictSerializer):
    """The tournament rounds that an entry misses."""

    from_round = IntegerField(min_value=1, max_value=LARGEST_ROUND)
    until_round = IntegerField(
        min_value=0,
        max_value=LARGEST_ROUND,
        default=None,
        allow_null=True,
        help_text=_("null: to the end; the one before “from_round”: none any more."),
    )


class CheckInSerializer(StrictSerializer):
    """Who is here, or is not after all."""

    entries = serializers.ListField(
        child=id_field(), allow_empty=False, max_length=LARGEST_BATCH, help_text=_("Ids of entries.")
    )
    is_here = BooleanField(default=True)


class SeedsSerializer(StrictSerializer):
    """How seeds are given."""

    how = ChoiceField([("hand", _("by hand")), ("rating", _("by rating")), ("lot", _("by lot"))])
    order = serializers.ListField(
        child=id_field(),
        default=list,
        max_length=LARGEST_ENTRIES,
        help_text=_("By hand: ids of entries, the strongest first."),
    )
    family = ChoiceField(
        list(FAMILIES),
        default=None,
        allow_null=True,
        help_text=_("By rating: in which family of games. Left out: that of the game."),
    )

    default_error_messages = {
        "order_by_hand": _("Seeds are given by hand in an order; leave it out where they are not."),
        "family_by_rating": _("Only ratings are of a family of games: leave it out."),
    }

    def validate(self, attrs: Any) -> Any:
        if (attrs["how"] == "hand") != bool(attrs["order"]):
            raise serializers.ValidationError({"order": [self._error("order_by_hand")]})
        if attrs["family"] is not None and attrs["how"] != "rating":
            raise serializers.ValidationError({"family": [self._error("family_by_rating")]})
        return attrs


class NewWishSerializer(StrictSerializer):
    """Two entries that are kept apart or together, or are no more."""

    first = id_field(help_text=_("The id of an entry."))
    second = id_field(help_text=_("The id of another one."))
    kind = ChoiceField(WISHES)


# --- Out --------------------------------------------------------------------------------------------------------------


class EntryBriefSerializer(serializers.Serializer[TournamentEntry]):
    """Who entered, as named at tables and in rankings."""

    id = id_field(help_text=_("Of the entry."))
    player = PlayerBriefSerializer()


def entry_brief(entry: NamedEntry) -> dict[str, Any]:
    """An entry as `EntryBriefSerializer` declares it."""
    return {"id": entry.id, "player": {"id": entry.player, "name": entry.name}}


class AbsenceSerializer(serializers.Serializer[Any]):
    """Tournament rounds that an entry misses; null: to the end."""

    from_round = serializers.IntegerField()
    until_round = serializers.IntegerField(allow_null=True)


class EntrySerializer(EntryBriefSerializer):
    """A player in a tournament."""

    status = ChoiceField(EntryStatus.choices)
    seed = serializers.IntegerField(allow_null=True, help_text=_("1 is the strongest; null until seeds are given."))
    first_round = serializers.IntegerField()
    fixed_table = serializers.IntegerField(allow_null=True)
    home_club = serializers.CharField(allow_blank=True)
    absences = AbsenceSerializer(many=True, source="absences.all")


def entry_told(entry: TournamentEntry, absences: Sequence[tuple[int, int | None]]) -> dict[str, Any]:
    """An entry as `EntrySerializer` declares it, which takes several times as long for each of a thousand."""
    return {
        "id": entry.pk,
        "player": {"id": entry.player_id, "name": entry.player.name},
        "status": str(entry.status),
        "seed": entry.seed,
        "first_round": entry.first_round,
        "fixed_table": entry.fixed_table,
        "home_club": entry.home_club,
        "absences": [{"from_round": first, "until_round": last} for first, last in absences],
    }


class AtTableSerializer(serializers.Serializer[Any]):
    """A table of a tournament round."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()


class WithdrawnEntrySerializer(EntrySerializer):
    """An entry that dropped out."""

    forfeited = AtTableSerializer(
        many=True,
        read_only=True,
        help_text=_("Tables of two, published and not begun, that it lost by forfeit now."),
    )
    without = AtTableSerializer(
        many=True, read_only=True, help_text=_("Larger tables that have not begun: the others play without.")
    )


class ReturnedEntrySerializer(EntrySerializer):
    """An entry that plays again."""

    opened = AtTableSerializer(
        many=True, read_only=True, help_text=_("The tables lost by the drop-out that are to be played after all.")
    )
    kept = AtTableSerializer(
        many=True, read_only=True, help_text=_("Those that stay decided by forfeit, since something was built on them.")
    )


class ChangedEntriesSerializer(serializers.Serializer[Any]):
    """Entries after a change of them, and the tournament's version."""

    version = serializers.IntegerField()
    results = EntrySerializer(many=True)


class SeededSerializer(serializers.Serializer[Any]):
    """How many entries have a seed now; the list of entries has them."""

    version = serializers.IntegerField()
    seeded = serializers.IntegerField()


class WishSerializer(serializers.Serializer[PairWish]):
    """Two entries that are kept apart or together."""

    first = EntryBriefSerializer()
    second = EntryBriefSerializer()
    kind = ChoiceField(WISHES)


class StageSerializer(serializers.Serializer[Stage]):
    """A part of a tournament with its complete options."""

    number = serializers.IntegerField()
    format = ChoiceField(StageFormat.choices)
    status = ChoiceField(StageStatus.choices)
    options = serializers.DictField()
    groups = serializers.IntegerField()
    advance = serializers.IntegerField(allow_null=True)


class TournamentLineSerializer(serializers.Serializer[Tournament]):
    """A tournament, as listed."""

    id = id_field()
    url = serializers.SerializerMethodField()
    name = serializers.CharField()
    slug = serializers.CharField()
    season = SeasonBriefSerializer(allow_null=True)
    status = ChoiceField(TournamentStatus.choices)
    starts_on = serializers.DateField()
    location = serializers.CharField(allow_blank=True)
    visibility = ChoiceField(Visibility.choices)
    session_format = ChoiceField(SessionFormat.choices)
    game = serializers.CharField(allow_blank=True)
    table_size = serializers.IntegerField()
    metric = ChoiceField(TournamentMetric.choices)
    version = serializers.IntegerField(help_text=_("Counts up with each change: If-Match takes it in quotes."))
    archived_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()

    def get_url(self, tournament: Tournament) -> str:
        return tournament_url(self.context["club"], tournament.pk)


class TournamentQuerySerializer(PageQuerySerializer):
    """Which tournaments to list."""

    status = ChoiceField(TournamentStatus.choices, required=False)
    season = QuerySeasonField(required=False, help_text=_("The season's id, or league/season."))
    archived = QueryBooleanField(default=False, help_text=_("Those that are put away, or those that are not."))
    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "starts_on", "name")


class EntryQuerySerializer(PageQuerySerializer):
    """Which entries to list."""

    status = ChoiceField(EntryStatus.choices, required=False)
    search = search_field(_("A part of the player's name, whatever its case."))
    ordering = ordering_field("id", "seed")


class TieBreakSerializer(serializers.Serializer[Any]):
    """A tie-break in words."""

    code = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()


def tie_break(code: str) -> dict[str, str]:
    """A tie-break as `TieBreakSerializer` declares it."""
    return {"code": code, "name": tie_break_words.name_of(code), "sentence": tie_break_words.sentence_of(code)}


class PairingJobSerializer(serializers.Serializer[Job]):
    """The pairing of a tournament round that goes on in a worker, or the last one that did."""

    id = id_field()
    url = serializers.SerializerMethodField()
    state = ChoiceField(JobState.choices)
    progress = ProgressSerializer(source="*")
    error = serializers.CharField(allow_blank=True)

    def get_url(self, job: Job) -> str:
        return reverse("api:job", kwargs={"club": self.context["club"], "job_id": job.pk})


class TournamentSerializer(TournamentLineSerializer):
    """A tournament with what it is played by."""

    note = serializers.CharField(allow_blank=True)
    announcement = serializers.CharField(allow_blank=True)
    games_per_table = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    scores = serializers.DictField(help_text=_("As given; what is left out is as usual."))
    tie_breaks = serializers.SerializerMethodField(help_text=_("In the order asked."))
    seed = serializers.IntegerField()
    round_minutes = serializers.IntegerField(allow_null=True)
    stages = StageSerializer(many=True, source="stages.all")
    entries = serializers.SerializerMethodField(help_text=_("How many have entered."))
    pairing_job = PairingJobSerializer(allow_null=True)
    invitation_key = serializers.SerializerMethodField(
        help_text=_("With it players of other clubs enter; null without, and to members.")
    )

    @extend_schema_field(TieBreakSerializer(many=True))
    def get_tie_breaks(self, tournament: Tournament) -> list[dict[str, str]]:
        return [tie_break(code) for code in tournament.tie_breaks]

    def get_entries(self, tournament: Tournament) -> int:
        return tournament.entries.count()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_invitation_key(self, tournament: Tournament) -> str | None:
        return (tournament.entry_key or None) if self.context.get("organises") else None


def tournament_url(club_slug: str, tournament_id: int) -> str:
    """Where a tournament is, relative to the server's root."""
    return reverse("api:tournament", kwargs={"club": club_slug, "tournament_id": tournament_id})
