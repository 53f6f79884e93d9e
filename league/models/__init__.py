"""What is stored, one topic a file; QuerySet methods read, `league/services` writes."""

from league.models.accounts import Invite, InviteState, LoginThrottle
from league.models.audit import AuditEvent
from league.models.clubs import Club, Member, Role, User
from league.models.figures import ChangedSession, Statistics, StatisticsSubject
from league.models.games import ClubGame, ScoredBy
from league.models.idempotency import IdempotencyRecord
from league.models.imports import ImportBatch, ImportMark, ImportSource, ImportState
from league.models.jobs import BotMatch, BotMatchSeat, Job, JobKind, JobState
from league.models.planned import PlannedEvening, SignUp, SignUpState
from league.models.players import Player, PlayerKind, PlayerMerge, name_key
from league.models.ratings import Rating, RatingBoard, RatingChange
from league.models.revisions import RevisionKind, SessionRevision
from league.models.seasons import (
    AbsenceRule,
    Best,
    Division,
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonRulesVersion,
    SeasonStatus,
    SubstitutionRule,
    TableWeight,
    TieBreakCode,
    Visibility,
)
from league.models.sessions import (
    Confirmation,
    Round,
    Score,
    Seat,
    Session,
    SessionFormat,
    SessionResult,
    SessionStatus,
)
from league.models.standings import DivisionPlayer, Standing
from league.models.tokens import ApiToken, Scope
from league.models.webhooks import DeliveryState, WebhookAttempt, WebhookDelivery, WebhookEndpoint

__all__ = [
    "AbsenceRule",
    "ApiToken",
    "AuditEvent",
    "Best",
    "BotMatch",
    "BotMatchSeat",
    "ChangedSession",
    "Club",
    "ClubGame",
    "Confirmation",
    "DeliveryState",
    "Division",
    "DivisionPlayer",
    "IdempotencyRecord",
    "ImportBatch",
    "ImportMark",
    "ImportSource",
    "ImportState",
    "IncompleteRule",
    "Invite",
    "InviteState",
    "Job",
    "JobKind",
    "JobState",
    "League",
    "LoginThrottle",
    "Member",
    "MissingRoundRule",
    "PlannedEvening",
    "Player",
    "PlayerKind",
    "PlayerMerge",
    "RankingMetric",
    "Rating",
    "RatingBoard",
    "RatingChange",
    "RevisionKind",
    "Role",
    "Round",
    "Scope",
    "Score",
    "ScoredBy",
    "Season",
    "SeasonRulesVersion",
    "SeasonStatus",
    "Seat",
    "Session",
    "SessionFormat",
    "SessionResult",
    "SessionRevision",
    "SessionStatus",
    "SignUp",
    "SignUpState",
    "Standing",
    "Statistics",
    "StatisticsSubject",
    "SubstitutionRule",
    "TableWeight",
    "TieBreakCode",
    "User",
    "Visibility",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookEndpoint",
    "name_key",
]
