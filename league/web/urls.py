"""Addresses of the pages. The last two are a club's own words, so everything else stands before them."""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from league.web.views import (
    accounts,
    boards,
    bot_matches,
    evenings,
    invites,
    leagues,
    manage,
    members,
    players,
    table_links,
    tokens,
)

app_name = "web"

urlpatterns = [
    path("", boards.home, name="home"),
    path("login/", accounts.Login.as_view(), name="login"),
    path("logout/", accounts.Logout.as_view(), name="logout"),
    path("account/", accounts.account, name="account"),
    path("account/forgotten/", accounts.Forgotten.as_view(), name="forgotten"),
    path("account/forgotten/sent/", accounts.ForgottenSent.as_view(), name="forgotten-sent"),
    path("account/reset/<str:uidb64>/<str:token>/", accounts.Reset.as_view(), name="reset"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password"),
    # Without a form token: a language is nobody's secret, and a token would put a cookie on every public page.
    path("account/language/", csrf_exempt(set_language), name="language"),
    path("setup/<str:code>/", accounts.setup_page, name="setup"),
    path("invites/<str:code>/", invites.invite, name="invite"),
    path("clubs/new/", accounts.new_club, name="new-club"),
    path("table/<str:raw>/", table_links.phone, name="table-link"),
    path("<slug:club>/manage/", manage.overview, name="manage"),
    path("<slug:club>/manage/settings/", manage.settings, name="club-settings"),
    path("<slug:club>/manage/players/", players.players, name="players"),
    path("<slug:club>/manage/players/<int:player_id>/", players.player, name="player"),
    path("<slug:club>/manage/leagues/", leagues.leagues, name="leagues"),
    path("<slug:club>/manage/leagues/<int:league_id>/", leagues.league, name="league"),
    path("<slug:club>/manage/leagues/<int:league_id>/seasons/new/", leagues.new_season, name="new-season"),
    path("<slug:club>/manage/seasons/<int:season_id>/", leagues.season, name="season-settings"),
    path("<slug:club>/manage/members/", members.members, name="members"),
    path("<slug:club>/manage/members/invites/", invites.invites, name="invites"),
    path("<slug:club>/manage/members/invites/<int:invite_id>/", invites.made, name="invite-made"),
    path("<slug:club>/manage/members/invites/<int:invite_id>/revoke/", invites.revoke, name="revoke-invite"),
    path("<slug:club>/manage/members/<int:member_id>/", members.member, name="member"),
    path("<slug:club>/manage/tokens/", tokens.tokens, name="tokens"),
    path("<slug:club>/manage/tokens/<int:token_id>/", tokens.token, name="token"),
    path("<slug:club>/manage/tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("<slug:club>/bot-matches/", bot_matches.bot_matches, name="bot-matches"),
    path("<slug:club>/bot-matches/<int:match_id>/", bot_matches.bot_match, name="bot-match"),
    path("<slug:club>/sessions/", boards.sessions, name="sessions"),
    path("<slug:club>/sessions/new/", evenings.new_session, name="new-session"),
    path("<slug:club>/sessions/<int:session_id>/", boards.sheet, name="session"),
    path("<slug:club>/sessions/<int:session_id>/enter/", evenings.enter, name="enter"),
    path("<slug:club>/sessions/<int:session_id>/table/", evenings.table, name="table"),
    path("<slug:club>/sessions/<int:session_id>/end/", evenings.end, name="end-session"),
    path("<slug:club>/sessions/<int:session_id>/table-links/", table_links.links, name="table-links"),
    path(
        "<slug:club>/sessions/<int:session_id>/table-links/<int:link_id>/",
        table_links.code,
        name="table-link-code",
    ),
    path(
        "<slug:club>/sessions/<int:session_id>/table-links/<int:link_id>/revoke/",
        table_links.revoke,
        name="revoke-table-link",
    ),
    path("<slug:club>/", boards.club, name="club"),
    path("<slug:club>/<slug:league>/<slug:season>/", boards.leaderboard, name="leaderboard"),
]
