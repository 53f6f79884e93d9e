"""What is stored, one topic a file; QuerySet methods read, `league/services` writes."""

from league.models.audit import AuditEvent
from league.models.clubs import Club, Member, Role, User
from league.models.idempotency import IdempotencyRecord
from league.models.jobs import BotMatch, BotMatchSeat, Job, JobKind, JobState
from league.models.players import Player, PlayerKind, name_key
from league.models.seasons import (
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonStatus,
    SubstitutionRule,
)
from league.models.sessions import Round, Score, Seat, Session, SessionFormat, SessionResult, SessionStatus
from league.models.standings import Standing
from league.models.tokens import ApiToken, Scope

__all__ = [
    "ApiToken",
    "AuditEvent",
    "BotMatch",
    "BotMatchSeat",
    "Club",
    "IdempotencyRecord",
    "IncompleteRule",
    "Job",
    "JobKind",
    "JobState",
    "League",
    "Member",
    "MissingRoundRule",
    "Player",
    "PlayerKind",
    "RankingMetric",
    "Role",
    "Round",
    "Scope",
    "Score",
    "Season",
    "SeasonStatus",
    "Seat",
    "Session",
    "SessionFormat",
    "SessionResult",
    "SessionStatus",
    "Standing",
    "SubstitutionRule",
    "User",
    "name_key",
]
