from collections.abc import Iterable
from typing import Any

from django.db import migrations
from django.db.migrations.state import StateApps


def from_events(apps: StateApps, schema_editor: Any) -> None:
    """What jobs were asked, and what they foresaw, stood in the audit trail: of those that still need it, it is copied.

    These are the jobs that are not over, and those that foresaw a mending which is shown or is to be stored. They are
    few: the trail, which is long, is read for their clubs and their ids alone.
    """
    jobs = apps.get_model("league", "Job").objects.all()
    events = apps.get_model("league", "AuditEvent").objects.order_by("pk")
    going_on = jobs.filter(state__in=("queued", "running"))

    def newest(action: str, of: Iterable[Any], by: str = "data__job") -> dict[tuple[int, int], Any]:
        """Events by club and job: an archive that came in can have brought those of another installation's jobs."""
        clubs, ids = {job.club_id for job in of}, {job.pk for job in of}
        if not ids:
            return {}
        found = events.filter(club__in=clubs, action=action, **{f"{by}__in": sorted(ids)})
        return {(event.club_id, event.data.get("job", event.object_id)): event for event in found.iterator()}

    par = list(going_on.filter(kind="par"))
    requested = newest("par.requested", par, by="object_id")
    for job in par:
        event = requested.get((job.club_id, job.pk))
        if event is not None:
            job.arguments = event.data
            job.save(update_fields=["arguments"])

    shown = jobs.filter(kind="pairing", state="done", tournament__isnull=False)
    pairing = [*going_on.filter(kind="pairing"), *shown]
    asked, stopped = newest("tournament.pairing_asked", pairing), newest("tournament.pairing_stopped", pairing)
    foreseeing = set()
    for job in pairing:
        event, stop = (found.get((job.club_id, job.pk)) for found in (asked, stopped))
        if event is None:
            continue
        job.arguments = {name: value for name, value in event.data.items() if name != "job"}
        if stop is not None and stop.pk > event.pk:
            job.arguments["stopped"] = True
        job.save(update_fields=["arguments"])
        if "foresees" in job.arguments:
            foreseeing.add(job.pk)
        elif "foreseen" in job.arguments:
            foreseeing.add(job.arguments["foreseen"])
    mending = list(jobs.filter(pk__in=foreseeing, state="done"))
    foreseen = newest("tournament.mending_foreseen", mending)
    for job in mending:
        event = foreseen.get((job.club_id, job.pk))
        if event is not None:
            job.outcome = {name: event.data[name] for name in ("version", "round", "planned")}
            job.save(update_fields=["outcome"])


class Migration(migrations.Migration):
    # By itself: what alters the table keeps others from it, and is not to wait for what reads.
    dependencies = [
        ("league", "0011_arguments_of_jobs"),
    ]

    operations = [
        migrations.RunPython(from_events, migrations.RunPython.noop),
    ]
