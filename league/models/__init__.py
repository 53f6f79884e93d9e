"""What is stored, one topic a file; QuerySet methods read, `league/services` writes."""

from league.models.accounts import Invite, InviteState, LoginThrottle
from league.models.audit import AuditEvent
from league.models.clubs import Club, Member, Role, User
from league.models.games import ClubGame, ScoredBy
from league.models.idempotency import IdempotencyRecord
from league.models.imports import ImportBatch, ImportMark, ImportSource, ImportState
from league.models.jobs import BotMatch, BotMatchSeat, Job, JobKind, JobState
from league.models.players import Player, PlayerKind, PlayerMerge, name_key
from league.models.revisions import RevisionKind, SessionRevision
from league.models.seasons import (
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonStatus,
    SubstitutionRule,
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
from league.models.standings import Standing
from league.models.tokens import ApiToken, Scope
from league.models.webhooks import DeliveryState, WebhookAttempt, WebhookDelivery, WebhookEndpoint

__all__ = [
    "ApiToken",
    "AuditEvent",
    "BotMatch",
    "BotMatchSeat",
    "Club",
    "ClubGame",
    "Confirmation",
    "DeliveryState",
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
    "Player",
    "PlayerKind",
    "PlayerMerge",
    "RankingMetric",
    "RevisionKind",
    "Role",
    "Round",
    "Scope",
    "Score",
    "ScoredBy",
    "Season",
    "SeasonStatus",
    "Seat",
    "Session",
    "SessionFormat",
    "SessionResult",
    "SessionRevision",
    "SessionStatus",
    "Standing",
    "SubstitutionRule",
    "User",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookEndpoint",
    "name_key",
]
