"""The addresses of the API, under `api/v1/`."""

from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter

from api.views import (
    bot_matches,
    bulk,
    clubs,
    corrections,
    divisions,
    docs,
    evenings,
    exports,
    games,
    imports,
    invites,
    journal,
    outlook,
    par,
    players,
    ratings,
    results,
    seasons,
    sessions,
    statistics,
    table_links,
    tokens,
    tournament_entries,
    tournament_files,
    tournament_rounds,
    tournament_tables,
    tournaments,
    webhooks,
)
from api.views.base import NotFoundView


class IdConverter:
    """An id: a positive whole number that fits the database."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(IdConverter, "id")

app_name = "api"

_session: list[URLPattern | URLResolver] = [
    path("", corrections.CorrectView.as_view(), name="session"),
    path("rounds/", sessions.RoundsView.as_view(), name="rounds"),
    path("rounds/<id:number>/", corrections.RoundDetailView.as_view(), name="round"),
    path("void/", corrections.VoidView.as_view(), name="void"),
    path("restore/", corrections.RestoreView.as_view(), name="restore"),
    path("revisions/", corrections.RevisionsView.as_view(), name="revisions"),
    path("confirm/", corrections.ConfirmView.as_view(), name="confirm"),
    path("dispute/", corrections.DisputeView.as_view(), name="dispute"),
    path("players/", sessions.SessionPlayersView.as_view(), name="session-players"),
    path("players/<id:player_id>/leave/", sessions.LeaveView.as_view(), name="leave"),
    path("end/", sessions.EndView.as_view(), name="end"),
    path("outlook/", outlook.SessionOutlookView.as_view(), name="session-outlook"),
    path("bg-stats-links/", exports.BgStatsLinksView.as_view(), name="bg-stats-links"),
    path("table-links/", table_links.TableLinksView.as_view(), name="table-links"),
    path("table-links/<id:table_link_id>/", table_links.TableLinkDetailView.as_view(), name="table-link"),
]
_entry: list[URLPattern | URLResolver] = [
    path("", tournament_entries.EntryDetailView.as_view(), name="entry"),
    path("withdraw/", tournament_entries.WithdrawView.as_view(), name="withdraw-entry"),
    path("return/", tournament_entries.ReturnView.as_view(), name="return-entry"),
    path("sit-out/", tournament_entries.SitOutView.as_view(), name="sit-out"),
]
_tournament_round: list[URLPattern | URLResolver] = [
    path("", tournament_rounds.TournamentRoundDetailView.as_view(), name="tournament-round"),
    path("publish/", tournament_rounds.PublishView.as_view(), name="publish-round"),
    path("unpublish/", tournament_rounds.UnpublishView.as_view(), name="unpublish-round"),
    path("swap/", tournament_rounds.SwapView.as_view(), name="swap-seats"),
    path("keep/", tournament_rounds.KeepView.as_view(), name="keep-round"),
    path("mend/", tournament_rounds.MendView.as_view(), name="mend-round"),
    path("clock/", tournament_rounds.ClockView.as_view(), name="round-clock"),
    path("tables/<id:table>/forfeit/", tournament_rounds.ForfeitView.as_view(), name="forfeit"),
    path("tables/<id:table>/open/", tournament_rounds.OpenTableView.as_view(), name="open-table"),
]
_tournament: list[URLPattern | URLResolver] = [
    path("", tournaments.TournamentDetailView.as_view(), name="tournament"),
    path("start/", tournaments.StartView.as_view(), name="start-tournament"),
    path("pause/", tournaments.PauseView.as_view(), name="pause-tournament"),
    path("resume/", tournaments.ResumeView.as_view(), name="resume-tournament"),
    path("finish/", tournaments.FinishView.as_view(), name="finish-tournament"),
    path("reopen/", tournaments.ReopenView.as_view(), name="reopen-tournament"),
    path("archive/", tournaments.ArchiveTournamentView.as_view(), name="archive-tournament"),
    path("restore/", tournaments.RestoreTournamentView.as_view(), name="restore-tournament"),
    path("clone/", tournaments.CloneView.as_view(), name="clone-tournament"),
    path("invitation/", tournaments.InvitationView.as_view(), name="tournament-invitation"),
    path("stages/next/", tournaments.NextStageView.as_view(), name="next-stage"),
    path("entries/", tournament_entries.EntriesView.as_view(), name="entries"),
    path("entries/check-in/", tournament_entries.CheckInView.as_view(), name="check-in"),
    path("entries/seeds/", tournament_entries.SeedsView.as_view(), name="seeds"),
    path("entries/<id:entry_id>/", include(_entry)),
    path("wishes/", tournament_entries.WishesView.as_view(), name="wishes"),
    path("rounds/", tournament_rounds.TournamentRoundsView.as_view(), name="tournament-rounds"),
    path("rounds/publish/", tournament_rounds.PublishAllView.as_view(), name="publish-rounds"),
    path("rounds/undo/", tournament_rounds.UndoView.as_view(), name="undo-round"),
    path("rounds/stop/", tournament_rounds.StopView.as_view(), name="stop-pairing"),
    path("rounds/<id:number>/", include(_tournament_round)),
    path("overtaken/", tournament_rounds.OvertakenView.as_view(), name="overtaken"),
    path("standings/", tournament_tables.TournamentStandingsView.as_view(), name="tournament-standings"),
    path("ranking/", tournament_tables.TournamentRankingView.as_view(), name="tournament-ranking"),
    path("bracket/", tournament_tables.BracketView.as_view(), name="bracket"),
    path("trf/", tournament_files.ReportFileView.as_view(), name="tournament-trf"),
    path("cross-table/", tournament_tables.CrossTableView.as_view(), name="cross-table"),
]
_webhook: list[URLPattern | URLResolver] = [
    path("", webhooks.WebhookDetailView.as_view(), name="webhook"),
    path("rotate/", webhooks.RotateView.as_view(), name="rotate-webhook"),
    path("ping/", webhooks.PingView.as_view(), name="ping-webhook"),
    path("replay/", webhooks.ReplayFailedView.as_view(), name="replay-failed"),
    path("deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path("deliveries/<id:delivery_id>/", webhooks.DeliveryDetailView.as_view(), name="delivery"),
    path("deliveries/<id:delivery_id>/replay/", webhooks.ReplayView.as_view(), name="replay-delivery"),
]
_club: list[URLPattern | URLResolver] = [
    path("", clubs.ClubDetailView.as_view(), name="club"),
    path("archive/", exports.ArchiveView.as_view(), name="archive"),
    path("members/", clubs.MembersView.as_view(), name="members"),
    path("members/<id:member_id>/", clubs.MemberDetailView.as_view(), name="member"),
    path("invites/", invites.InvitesView.as_view(), name="invites"),
    path("invites/<id:invite_id>/", invites.InviteDetailView.as_view(), name="invite"),
    path("players/", players.PlayersView.as_view(), name="players"),
    path("players/<id:player_id>/", players.PlayerDetailView.as_view(), name="player"),
    path("players/<id:player_id>/statistics/", statistics.PlayerStatisticsView.as_view(), name="player-statistics"),
    path("players/<id:player_id>/merge/", players.MergeView.as_view(), name="merge-player"),
    path("players/<id:player_id>/unmerge/", players.UnmergeView.as_view(), name="unmerge-player"),
    path("players/<id:player_id>/erase/", players.EraseView.as_view(), name="erase-player"),
    path("players/<id:player_id>/ratings/", ratings.PlayerRatingsView.as_view(), name="player-ratings"),
    path("ratings/", ratings.RatingsView.as_view(), name="ratings"),
    path("leagues/", seasons.LeaguesView.as_view(), name="leagues"),
    path("leagues/<id:league_id>/", seasons.LeagueDetailView.as_view(), name="league"),
    path("seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path("seasons/<id:season_id>/", seasons.SeasonDetailView.as_view(), name="season"),
    path("seasons/<id:season_id>/rules/", seasons.RulesVersionsView.as_view(), name="season-rules"),
    path("seasons/<id:season_id>/standings/", seasons.StandingsView.as_view(), name="standings"),
    path("seasons/<id:season_id>/standings/<id:player_id>/", outlook.ExplanationView.as_view(), name="explanation"),
    path("seasons/<id:season_id>/outlook/", outlook.SeasonOutlookView.as_view(), name="season-outlook"),
    path("seasons/<id:season_id>/standings/csv/", exports.StandingsTableView.as_view(), name="standings-csv"),
    path("seasons/<id:season_id>/divisions/", divisions.DivisionsView.as_view(), name="divisions"),
    path("seasons/<id:season_id>/divisions/<id:division_id>/", divisions.DivisionDetailView.as_view(), name="division"),
    path(
        "seasons/<id:season_id>/divisions/<id:division_id>/players/",
        divisions.DivisionPlayersView.as_view(),
        name="division-players",
    ),
    path("seasons/<id:season_id>/following/", divisions.FollowingSeasonView.as_view(), name="following-season"),
    path("evenings/", evenings.EveningsView.as_view(), name="evenings"),
    path("evenings/<id:evening_id>/", evenings.EveningDetailView.as_view(), name="evening"),
    path("evenings/<id:evening_id>/sign-ups/", evenings.SignUpsView.as_view(), name="sign-ups"),
    path("results/bulk/", bulk.BulkView.as_view(), name="bulk"),
    path("sessions/", sessions.SessionsView.as_view(), name="sessions"),
    path("sessions/csv/", exports.SessionsTableView.as_view(), name="sessions-csv"),
    path("sessions/json/", exports.SessionsArrayView.as_view(), name="sessions-json"),
    path("sessions/<id:session_id>/", include(_session)),
    path("games/", games.ClubGamesView.as_view(), name="club-games"),
    path("games/<slug:game>/", games.ClubGameDetailView.as_view(), name="club-game"),
    path("games/<slug:game>/statistics/", statistics.GameStatisticsView.as_view(), name="game-statistics"),
    path("hall-of-fame/", statistics.HallOfFameView.as_view(), name="hall-of-fame"),
    path("results/", results.ResultsView.as_view(), name="results"),
    path("scores/", results.ScoresView.as_view(), name="scores"),
    path("audit-events/", journal.AuditEventsView.as_view(), name="audit-events"),
    path("jobs/", journal.JobsView.as_view(), name="jobs"),
    path("jobs/<id:job_id>/", journal.JobDetailView.as_view(), name="job"),
    path("jobs/<id:job_id>/cancel/", journal.CancelJobView.as_view(), name="cancel-job"),
    path("bot-matches/", bot_matches.BotMatchesView.as_view(), name="bot-matches"),
    path("bot-matches/<id:match_id>/", bot_matches.BotMatchDetailView.as_view(), name="bot-match"),
    path("bot-matches/<id:match_id>/retry/", bot_matches.RetryBotMatchView.as_view(), name="retry-bot-match"),
    path("bot-matches/<id:match_id>/deals/", bot_matches.DealsView.as_view(), name="deals"),
    path("bot-matches/<id:match_id>/deals/<id:number>/", bot_matches.DealDetailView.as_view(), name="deal"),
    path("par/", par.ParView.as_view(), name="par"),
    path("imports/", imports.ImportsView.as_view(), name="imports"),
    path("imports/<id:import_id>/", imports.ImportDetailView.as_view(), name="import"),
    path("imports/<id:import_id>/problems/", imports.ImportProblemsView.as_view(), name="import-problems"),
    path("imports/<id:import_id>/apply/", imports.ApplyImportView.as_view(), name="apply-import"),
    path("imports/<id:import_id>/revert/", imports.RevertImportView.as_view(), name="revert-import"),
    path("tokens/", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<id:token_id>/", tokens.TokenDetailView.as_view(), name="token"),
    path("tournaments/", tournaments.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/trf/", tournament_files.ReportFilesView.as_view(), name="tournaments-trf"),
    path("tournaments/trf/<id:file_id>/", tournament_files.ReportFileDetailView.as_view(), name="tournament-file"),
    path("tournaments/<id:tournament_id>/", include(_tournament)),
    path("webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<id:webhook_id>/", include(_webhook)),
]
urlpatterns = [
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
    path("docs/problems/", docs.ProblemsView.as_view(), name="problems"),
    path("games/", games.GamesView.as_view(), name="games"),
    path("clubs/", clubs.ClubsView.as_view(), name="clubs"),
    path("clubs/<slug:club>/", include(_club)),
    # Last: an unknown address answers in the API's own way, not with a page.
    re_path("", NotFoundView.as_view()),
]
