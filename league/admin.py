"""The administration: everything stored, for superusers alone.

Promises: superusers make logins, clubs and memberships here; everything else can be looked at and not be changed,
since only the services keep results, standings and the audit trail in line. Secrets are never shown.
"""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.models import (
    ApiToken,
    AuditEvent,
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    ChangedSession,
    Club,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    IdempotencyRecord,
    ImportBatch,
    ImportMark,
    Invite,
    Job,
    League,
    LoginThrottle,
    Member,
    PairWish,
    ParTally,
    PlannedEvening,
    Player,
    PlayerMerge,
    Rating,
    RatingChange,
    Round,
    Score,
    Season,
    SeasonRulesVersion,
    Seat,
    Session,
    SessionResult,
    SessionRevision,
    SignUp,
    Stage,
    StageEntry,
    Standing,
    Statistics,
    Tournament,
    TournamentEntry,
    TournamentFile,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    User,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
)
from league.models.clubs import new_board_state
from league.services import accounts

admin.site.site_header = admin.site.site_title = "Tischliga"
# Roles of clubs say who may do what; groups would be a second answer.
admin.site.unregister(Group)


def _superusers_only(request: HttpRequest) -> bool:
    # A member of the staff would otherwise see the rows of every club.
    return request.user.is_active and request.user.is_superuser


admin.site.has_permission = _superusers_only  # type: ignore[method-assign]


if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    UserAdminBase = UserAdmin[User]
else:
    ModelAdmin, TabularInline, UserAdminBase = admin.ModelAdmin, admin.TabularInline, UserAdmin


class _ReadOnly:
    """What services alone write."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(_ReadOnly, ModelAdmin):
    """A model to look at."""

    # Counting all rows a second time, without the filters, costs a scan of the table on PostgreSQL.
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(_ReadOnly, TabularInline):
    """Rows of another model below the one they belong to."""

    extra = 0
    show_change_link = True


@admin.register(User)
class LoginAdmin(UserAdminBase):
    list_display = ["username", "email", "is_active", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_superuser"]
    filter_horizontal = ()
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (None, {"fields": ["first_name", "last_name", "email"]}),
        (None, {"fields": ["is_active", "is_staff", "is_superuser"]}),
        (None, {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(require_POST(self.reset_link))
        return [path("<int:user_id>/reset-link/", view, name="league_user_reset_link"), *super().get_urls()]

    @method_decorator(never_cache)
    def reset_link(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Show a link at which the user chooses a new password."""
        user = get_object_or_404(User, pk=user_id, is_active=True)
        address = accounts.reset_path(user=user, by=request.user if isinstance(request.user, User) else None)
        self.log_change(request, user, "made a link for a new password")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Link for a new password"),
            "name": user.get_username(),
            "user_id": user.pk,
            # As other people reach it, also where this browser came by a loopback address.
            "link": settings.SITE_URL + address if settings.SITE_URL else request.build_absolute_uri(address),
        }
        return render(request, "admin/league/user/reset_link.html", context)


@admin.register(Club)
class ClubAdmin(ModelAdmin):
    list_display = ["name", "slug", "created_at"]
    search_fields = ["name", "slug"]
    readonly_fields = ["created_at"]

    def save_model(self, request: HttpRequest, obj: Club, form: Any, change: Any) -> None:
        obj.board_state = new_board_state()
        super().save_model(request, obj, form, change)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Everything of the club would go with it, past the services that keep the audit trail.
        return False


@admin.register(Member)
class MemberAdmin(ModelAdmin):
    list_display = ["user", "club", "role", "created_at"]
    list_filter = ["role", "club"]
    list_select_related = ["user", "club"]
    search_fields = ["user__username", "club__name"]
    autocomplete_fields = ["user", "club"]
    readonly_fields = ["created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        # A row never changes its club; a membership never passes to another login.
        return ["created_at", *(["club", "user"] if obj else [])]


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["name", "nickname", "club", "kind", "is_guest", "member", "archived_at"]
    list_filter = ["kind", "is_guest", ("archived_at", admin.EmptyFieldListFilter), "club"]
    list_select_related = ["club", "member__user"]
    search_fields = ["name", "name_key"]


class SeasonInline(ReadOnlyInline):
    model = Season
    fields = ["name", "slug", "starts_on", "ends_on", "status", "visibility"]


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "slug"]
    list_filter = ["club"]
    list_select_related = ["club"]
    search_fields = ["name", "slug"]
    inlines = [SeasonInline]


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    list_display = ["name", "league", "club", "starts_on", "ends_on", "status", "visibility"]
    list_filter = ["status", "visibility", "ranking_metric", "club"]
    list_select_related = ["club", "league"]
    search_fields = ["name", "slug", "league__name"]
    date_hierarchy = "starts_on"
    exclude = ["board_key"]


@admin.register(SeasonRulesVersion)
class SeasonRulesVersionAdmin(ReadOnlyAdmin):
    list_display = ["season", "number", "at", "user", "club"]
    list_filter = ["club"]
    list_select_related = ["season__league", "user", "club"]
    search_fields = ["season__name"]


class DivisionPlayerInline(ReadOnlyInline):
    model = DivisionPlayer
    fields = ["player"]


@admin.register(Division)
class DivisionAdmin(ReadOnlyAdmin):
    list_display = ["name", "level", "season", "promoted", "relegated", "club"]
    list_filter = ["club"]
    list_select_related = ["season__league", "club"]
    search_fields = ["name", "season__name"]
    inlines = [DivisionPlayerInline]


@admin.register(DivisionPlayer)
class DivisionPlayerAdmin(ReadOnlyAdmin):
    list_display = ["player", "division", "season", "club"]
    list_filter = ["club"]
    list_select_related = ["player", "division", "season__league", "club"]
    search_fields = ["player__name", "division__name"]


class SignUpInline(ReadOnlyInline):
    model = SignUp
    fields = ["player", "state", "since"]


@admin.register(PlannedEvening)
class PlannedEveningAdmin(ReadOnlyAdmin):
    list_display = ["starts_at", "location", "capacity", "season", "cancelled_at", "club"]
    list_filter = [("cancelled_at", admin.EmptyFieldListFilter), "club"]
    list_select_related = ["season__league", "club"]
    search_fields = ["location", "note"]
    date_hierarchy = "starts_at"
    inlines = [SignUpInline]


@admin.register(SignUp)
class SignUpAdmin(ReadOnlyAdmin):
    list_display = ["evening", "player", "state", "since", "club"]
    list_filter = ["state", "club"]
    list_select_related = ["evening", "player", "club"]
    search_fields = ["player__name"]


class StageInline(ReadOnlyInline):
    model = Stage
    fields = ["number", "format", "status", "groups", "advance"]


class TournamentRoundInline(ReadOnlyInline):
    model = TournamentRound
    fields = ["number", "status", "paired_at", "published_at"]


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ["name", "starts_on", "status", "session_format", "season", "visibility", "archived_at", "club"]
    list_filter = ["status", "metric", "visibility", ("archived_at", admin.EmptyFieldListFilter), "club"]
    list_select_related = ["club", "season__league"]
    search_fields = ["name", "slug"]
    date_hierarchy = "starts_on"
    exclude = ["board_key", "entry_key"]
    # Entries may be a thousand: their own list has them.
    inlines = [StageInline, TournamentRoundInline]


class EntryAbsenceInline(ReadOnlyInline):
    model = EntryAbsence
    fields = ["from_round", "until_round"]


@admin.register(TournamentEntry)
class TournamentEntryAdmin(ReadOnlyAdmin):
    list_display = ["player", "tournament", "status", "seed", "first_round", "home_club", "club"]
    list_filter = ["status", "club"]
    list_select_related = ["player", "tournament", "club"]
    search_fields = ["player__name", "tournament__name"]
    inlines = [EntryAbsenceInline]


@admin.register(EntryAbsence)
class EntryAbsenceAdmin(ReadOnlyAdmin):
    list_display = ["entry", "from_round", "until_round", "club"]
    list_filter = ["club"]
    list_select_related = ["entry__player", "club"]
    search_fields = ["entry__player__name"]


@admin.register(PairWish)
class PairWishAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "kind", "first", "second", "club"]
    list_filter = ["kind", "club"]
    list_select_related = ["tournament", "first__player", "second__player", "club"]
    search_fields = ["tournament__name", "first__player__name", "second__player__name"]


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "format", "status", "groups", "advance", "club"]
    list_filter = ["format", "status", "club"]
    list_select_related = ["tournament", "club"]
    search_fields = ["tournament__name"]


@admin.register(StageEntry)
class StageEntryAdmin(ReadOnlyAdmin):
    list_display = ["stage", "entry", "seed", "group", "club"]
    list_filter = ["club"]
    list_select_related = ["stage", "entry__player", "club"]
    search_fields = ["entry__player__name", "stage__tournament__name"]


class TournamentTableInline(ReadOnlyInline):
    model = TournamentTable
    fields = ["number", "group", "match", "kind", "decided"]


@admin.register(TournamentRound)
class TournamentRoundAdmin(ReadOnlyAdmin):
    list_display = ["tournament", "number", "stage", "status", "paired_at", "published_at", "club"]
    list_filter = ["status", "club"]
    list_select_related = ["tournament", "stage", "club"]
    search_fields = ["tournament__name"]
    inlines = [TournamentTableInline]


class TournamentSeatInline(ReadOnlyInline):
    model = TournamentSeat
    fields = ["number", "entry", "place", "place_sum", "game_points"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("entry__player")


@admin.register(TournamentTable)
class TournamentTableAdmin(ReadOnlyAdmin):
    list_display = ["round", "number", "group", "match", "kind", "decided", "club"]
    list_filter = ["kind", "decided", "club"]
    list_select_related = ["round", "club"]
    search_fields = ["=round__id", "round__tournament__name"]
    inlines = [TournamentSeatInline]


@admin.register(TournamentSeat)
class TournamentSeatAdmin(ReadOnlyAdmin):
    list_display = ["table", "number", "entry", "place", "place_sum", "game_points"]
    list_filter = ["club"]
    list_select_related = ["table", "entry__player"]
    search_fields = ["entry__player__name", "=table__id"]


class SeatInline(ReadOnlyInline):
    model = Seat
    fields = ["number", "player", "from_round", "until_round"]


class RoundInline(ReadOnlyInline):
    model = Round
    fields = ["number", "game", "note", "confirmed"]


class ResultInline(ReadOnlyInline):
    model = SessionResult
    fields = ["place", "player", "place_sum", "rounds_played", "rounds_missed", "reason"]


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ["id", "played_on", "club", "season", "format", "status", "counts", "revision"]
    list_filter = ["status", "format", "counts", "club"]
    list_select_related = ["club", "season__league"]
    search_fields = ["=id", "location", "comment", "season__name"]
    date_hierarchy = "played_on"
    inlines = [SeatInline, RoundInline, ResultInline]


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ["session", "number", "player", "from_round", "until_round"]
    list_filter = ["club"]
    list_select_related = ["session", "player"]
    search_fields = ["player__name", "=session__id"]


class ScoreInline(ReadOnlyInline):
    model = Score
    fields = ["player", "points", "place"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ["session", "number", "game", "note"]
    list_filter = ["game", "note", "club"]
    list_select_related = ["session"]
    search_fields = ["=session__id", "game"]
    inlines = [ScoreInline]


@admin.register(Score)
class ScoreAdmin(ReadOnlyAdmin):
    list_display = ["round", "player", "points", "place"]
    list_filter = ["club"]
    list_select_related = ["round", "player"]
    search_fields = ["player__name", "=round__session__id"]


@admin.register(SessionResult)
class SessionResultAdmin(ReadOnlyAdmin):
    list_display = ["session", "player", "place", "place_sum", "rounds_played", "rounds_missed", "reason"]
    list_filter = ["reason", "club"]
    list_select_related = ["session", "player"]
    search_fields = ["player__name", "=session__id"]


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = ["season", "player", "sessions", "place_total", "wins", "last_session", "last_place"]
    list_filter = ["club", "season"]
    list_select_related = ["season__league", "player", "last_session"]
    search_fields = ["player__name", "season__name"]


@admin.register(ChangedSession)
class ChangedSessionAdmin(ReadOnlyAdmin):
    list_display = ["session_id", "from_day", "at", "club"]
    list_filter = ["club"]
    list_select_related = ["club"]
    search_fields = ["=session__id"]


@admin.register(Statistics)
class StatisticsAdmin(ReadOnlyAdmin):
    list_display = ["subject", "player", "game", "computed_at", "club"]
    list_filter = ["subject", "club"]
    list_select_related = ["player", "club"]
    search_fields = ["player__name", "game"]


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ["player", "board", "family", "value", "sigma", "results", "club"]
    list_filter = ["board", "family", "club"]
    list_select_related = ["player", "club"]
    search_fields = ["player__name"]


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = ["player", "session_id", "played_on", "board", "family", "value", "club"]
    list_filter = ["board", "family", "club"]
    list_select_related = ["player", "club"]
    search_fields = ["player__name", "=session__id"]


@admin.register(Invite)
class InviteAdmin(ReadOnlyAdmin):
    list_display = ["note", "club", "role", "created_by", "expires_at", "used_by", "revoked_at"]
    list_filter = ["role", ("used_at", admin.EmptyFieldListFilter), "club"]
    list_select_related = ["club", "created_by", "used_by"]
    search_fields = ["note", "created_by__username"]
    exclude = ["code_sha256"]


@admin.register(LoginThrottle)
class LoginThrottleAdmin(ReadOnlyAdmin):
    list_display = ["key", "failures", "last_at", "blocked_until"]
    search_fields = ["=key"]


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = [
        *("name", "prefix", "club", "scope", "session", "rate_limit"),
        *("created_by", "expires_at", "revoked_at", "last_used_at"),
    ]
    list_filter = ["scope", ("revoked_at", admin.EmptyFieldListFilter), "club"]
    list_select_related = ["club", "created_by", "session"]
    search_fields = ["name", "prefix"]
    exclude = ["secret_sha256"]


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ["at", "action", "object_id", "club", "user", "token"]
    list_filter = ["action", "club"]
    list_select_related = ["club", "user", "token"]
    search_fields = ["action", "=object_id", "user__username"]
    date_hierarchy = "at"


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "state", "done", "total", "attempt", "parent", "club", "created_at", "finished_at"]
    list_filter = ["state", "kind", "club"]
    list_select_related = ["club", "parent"]
    search_fields = ["=id", "=parent__id", "error", "trace"]


@admin.register(TournamentFile)
class TournamentFileAdmin(ReadOnlyAdmin):
    list_display = ["id", "looks", "tournament", "club", "job"]
    list_filter = ["looks", "club"]
    list_select_related = ["tournament", "club", "job"]
    search_fields = ["=id", "=job__id"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("text")


class BotMatchSeatInline(ReadOnlyInline):
    model = BotMatchSeat
    fields = ["number", "player"]


@admin.register(BotMatch)
class BotMatchAdmin(ReadOnlyAdmin):
    list_display = ["id", "format", "game", "played_on", "deals", "club", "season", "job"]
    list_filter = ["format", "game", "club"]
    list_select_related = ["club", "season__league", "job"]
    search_fields = ["=id", "game"]
    inlines = [BotMatchSeatInline]


@admin.register(BotMatchChunk)
class BotMatchChunkAdmin(ReadOnlyAdmin):
    list_display = ["bot_match", "first_deal", "deals", "job"]
    list_filter = ["club"]
    list_select_related = ["bot_match", "job"]
    search_fields = ["=bot_match__id"]
    # Packed moves.
    exclude = ["records"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("records")


@admin.register(ParTally)
class ParTallyAdmin(ReadOnlyAdmin):
    list_display = ["game", "seats", "options", "bot", "version", "games"]
    list_filter = ["game", "seats", "bot"]
    search_fields = ["options", "version"]


@admin.register(BotMatchSeat)
class BotMatchSeatAdmin(ReadOnlyAdmin):
    list_display = ["bot_match", "number", "player"]
    list_filter = ["club"]
    list_select_related = ["bot_match", "player"]
    search_fields = ["player__name", "=bot_match__id"]


@admin.register(IdempotencyRecord)
class IdempotencyRecordAdmin(ReadOnlyAdmin):
    list_display = ["actor", "key", "status", "created_at"]
    list_filter = ["status"]
    search_fields = ["actor", "key"]
    # The stored answer may hold what only its receiver should read.
    exclude = ["body"]


@admin.register(WebhookEndpoint)
class WebhookEndpointAdmin(ReadOnlyAdmin):
    list_display = ["url", "club", "disabled_at", "failing_since", "created_at"]
    list_filter = ["disabled_reason"]
    list_select_related = ["club"]
    search_fields = ["url", "description"]
    exclude = ["secret", "previous_secret"]


class WebhookAttemptInline(ReadOnlyInline):
    model = WebhookAttempt


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    list_display = ["event", "endpoint", "club", "state", "attempts", "next_attempt_at", "created_at"]
    list_filter = ["state", "event"]
    list_select_related = ["endpoint", "club"]
    search_fields = ["message_id"]
    inlines = [WebhookAttemptInline]


@admin.register(WebhookAttempt)
class WebhookAttemptAdmin(ReadOnlyAdmin):
    list_display = ["delivery", "number", "status", "error", "milliseconds", "at"]
    list_select_related = ["delivery"]
    search_fields = ["=delivery__message_id"]


@admin.register(SessionRevision)
class SessionRevisionAdmin(ReadOnlyAdmin):
    list_display = ["session", "number", "kind", "reason", "at", "user", "token"]
    list_filter = ["kind", "club"]
    list_select_related = ["session", "user", "token"]
    search_fields = ["=session__id", "reason"]


@admin.register(ClubGame)
class ClubGameAdmin(ReadOnlyAdmin):
    list_display = ["name", "key", "club", "min_players", "max_players", "scored_by", "archived_at"]
    list_filter = ["scored_by", "cooperative"]
    list_select_related = ["club"]
    search_fields = ["name", "key"]


@admin.register(PlayerMerge)
class PlayerMergeAdmin(ReadOnlyAdmin):
    list_display = ["source", "target", "club", "merged_at", "undone_at"]
    list_filter = ["club"]
    list_select_related = ["source", "target", "club"]
    search_fields = ["source__name", "target__name"]


@admin.register(ImportBatch)
class ImportBatchAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "source", "state", "club", "season", "created_at", "finished_at"]
    list_filter = ["state", "source", "club"]
    list_select_related = ["club", "season__league"]
    search_fields = ["file_name"]
    # Megabytes, and names of people in them.
    exclude = ["decisions", "outcome"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("content", "decisions", "outcome")


@admin.register(ImportMark)
class ImportMarkAdmin(ReadOnlyAdmin):
    list_display = ["source", "external_id", "session", "batch", "club"]
    list_filter = ["source", "club"]
    list_select_related = ["session", "batch", "club"]
    search_fields = ["=external_id", "=session__id"]
