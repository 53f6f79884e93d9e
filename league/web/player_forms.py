"""Forms of what is done with one player as a whole: merged, erased."""

from typing import Any

from django.utils.translation import gettext_lazy as _l

from league.models import Player
from league.web.forms import PlayerNameField, ServiceForm


class MergeForm(ServiceForm):
    """Whose the results of a player become."""

    def __init__(self, *args: Any, source: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        active = Player.objects.filter(club=source.club_id, archived_at=None).exclude(pk=source.pk)
        others = list(active.filter(kind=source.kind, bot=source.bot).values_list("pk", "name", "name_key"))
        self.names = [name for _pk, name, _key in others]
        ids = {key: pk for pk, _name, key in others}
        self.fields["into"] = PlayerNameField(
            label=_l("Player who remains"), ids=ids, help_text=_l("Has all results from then on.")
        )
        self.fields["into"].required = True


class EraseForm(ServiceForm):
    """Erases a person; everything is in the confirmation."""
