"""What happened and what goes on: audit events and jobs."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import PageQuerySerializer, id_field
from api.serializers.bot_matches import ProgressSerializer
from api.serializers.fields import MAX_ID, ChoiceField, DateField, QueryIntegerField, TextField
from league.models import AuditEvent, Job, JobKind, JobState


class AuditUserSerializer(serializers.Serializer[Any]):
    """A user who changed something."""

    id = id_field()
    username = serializers.CharField()


class AuditTokenSerializer(serializers.Serializer[Any]):
    """A token that changed something."""

    id = id_field()
    name = serializers.CharField()


class AuditEventSerializer(serializers.Serializer[AuditEvent]):
    """One change: what was done to what, by whom, when. Ids and figures alone, never names of players."""

    id = id_field()
    at = serializers.DateTimeField()
    action = serializers.CharField(help_text=_("Topic and verb, as in session.recorded."))
    object = id_field(source="object_id", help_text=_("The id of what was changed."))
    user = AuditUserSerializer(allow_null=True)
    token = AuditTokenSerializer(allow_null=True)
    data = serializers.JSONField()  # type: ignore[assignment]  # a field of that name


class AuditQuerySerializer(PageQuerySerializer):
    """Which audit events to list."""

    action = TextField(
        max_length=40, required=False, help_text=_("Topic and verb, as session.recorded; a topic alone for all verbs.")
    )
    object = QueryIntegerField(min_value=0, max_value=MAX_ID, required=False)
    user = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    token = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    day_from = DateField(required=False, help_text=_("The first day, by the club's clock."))
    day_until = DateField(required=False, help_text=_("The last day, by the club's clock."))


class JobSerializer(serializers.Serializer[Job]):
    """Work that goes on after the answer, and how far it is."""

    id = id_field()
    url = serializers.SerializerMethodField(help_text=_("Ask here again until the state is done, failed or cancelled."))
    kind = ChoiceField(JobKind.choices)
    state = ChoiceField(JobState.choices)
    progress = serializers.SerializerMethodField()
    error = serializers.CharField(allow_blank=True)
    bot_match = serializers.SerializerMethodField(help_text=_("The id of the bot match that it plays, if any."))
    tournament = serializers.SerializerMethodField(
        help_text=_("The id of the tournament whose next round it pairs, if any; null once another job does.")
    )
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_url(self, job: Job) -> str:
        return reverse("api:job", kwargs={"club": self.context["club"], "job_id": job.pk})

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, job: Job) -> dict[str, int]:
        # With what parts at work have done, which the view's query counts.
        return {"done": job.done + vars(job).get("at_work", 0), "total": job.total}

    @extend_schema_field(id_field(allow_null=True))
    def get_bot_match(self, job: Job) -> int | None:
        match = getattr(job, "bot_match", None)
        return match.pk if match is not None else None

    @extend_schema_field(id_field(allow_null=True))
    def get_tournament(self, job: Job) -> int | None:
        tournament = getattr(job, "tournament", None)
        return tournament.pk if tournament is not None else None


class JobQuerySerializer(PageQuerySerializer):
    """Which jobs to list."""

    kind = ChoiceField(JobKind.choices, required=False)
    state = ChoiceField(JobState.choices, required=False)
