"""The addresses of the API, under `api/v1/`."""

from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter

from api.views import bot_matches, clubs, docs, games, players, seasons, sessions, table_links, tokens
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
    path("", sessions.SessionDetailView.as_view(), name="session"),
    path("rounds/", sessions.RoundsView.as_view(), name="rounds"),
    path("players/", sessions.SessionPlayersView.as_view(), name="session-players"),
    path("players/<id:player_id>/leave/", sessions.LeaveView.as_view(), name="leave"),
    path("end/", sessions.EndView.as_view(), name="end"),
    path("table-links/", table_links.TableLinksView.as_view(), name="table-links"),
    path("table-links/<id:table_link_id>/", table_links.TableLinkDetailView.as_view(), name="table-link"),
]
_club: list[URLPattern | URLResolver] = [
    path("", clubs.ClubDetailView.as_view(), name="club"),
    path("members/", clubs.MembersView.as_view(), name="members"),
    path("members/<id:member_id>/", clubs.MemberDetailView.as_view(), name="member"),
    path("players/", players.PlayersView.as_view(), name="players"),
    path("players/<id:player_id>/", players.PlayerDetailView.as_view(), name="player"),
    path("leagues/", seasons.LeaguesView.as_view(), name="leagues"),
    path("leagues/<id:league_id>/", seasons.LeagueDetailView.as_view(), name="league"),
    path("seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path("seasons/<id:season_id>/", seasons.SeasonDetailView.as_view(), name="season"),
    path("seasons/<id:season_id>/standings/", seasons.StandingsView.as_view(), name="standings"),
    path("sessions/", sessions.SessionsView.as_view(), name="sessions"),
    path("sessions/<id:session_id>/", include(_session)),
    path("bot-matches/", bot_matches.BotMatchesView.as_view(), name="bot-matches"),
    path("bot-matches/<id:match_id>/", bot_matches.BotMatchDetailView.as_view(), name="bot-match"),
    path("tokens/", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<id:token_id>/", tokens.TokenDetailView.as_view(), name="token"),
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
