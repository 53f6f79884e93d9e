from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.state import StateApps


def from_events(apps: StateApps, schema_editor: Any) -> None:
    """What jobs were asked, and what they foresaw, stood in the audit trail: of those that still need it, it is copied.

    These are the jobs that are not over, and those that foresaw a mending which is shown or is to be stored.
    """
    jobs = apps.get_model("league", "Job").objects.all()
    events = apps.get_model("league", "AuditEvent").objects.order_by("pk")

    def newest(action: str, **which: Any) -> dict[tuple[int, int], Any]:
        """Events by club and job: an archive that came in can have brought those of another installation's jobs."""
        found = events.filter(action=action, **which)
        return {(event.club_id, event.data.get("job", event.object_id)): event for event in found.iterator()}

    going_on = jobs.filter(state__in=("queued", "running"))
    requested = newest("par.requested")
    for job in going_on.filter(kind="par"):
        event = requested.get((job.club_id, job.pk))
        if event is not None:
            job.arguments = event.data
            job.save(update_fields=["arguments"])

    asked, stopped = newest("tournament.pairing_asked"), newest("tournament.pairing_stopped")
    foreseeing = set()
    shown = jobs.filter(kind="pairing", state="done", tournament__isnull=False)
    for job in [*going_on.filter(kind="pairing"), *shown]:
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
    foreseen = newest("tournament.mending_foreseen", data__job__in=sorted(foreseeing))
    for job in jobs.filter(pk__in=foreseeing, state="done"):
        event = foreseen.get((job.club_id, job.pk))
        if event is not None:
            job.outcome = {name: event.data[name] for name in ("version", "round", "planned")}
            job.save(update_fields=["outcome"])


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0010_records_in_chunks'),
    ]

    operations = [
        migrations.CreateModel(
            name='TournamentFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True, editable=False, verbose_name='file')),
                ('given', models.JSONField(default=dict, verbose_name='given with it')),
                ('looks', models.BooleanField(help_text='Whether nothing is stored but what would come of it.', verbose_name='only looks')),
                ('outcome', models.JSONField(default=dict, help_text='What came of it, or would.', verbose_name='outcome')),
            ],
            options={
                'verbose_name': 'report file of a tournament',
                'verbose_name_plural': 'report files of tournaments',
                'ordering': ['-id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='job',
            name='job_kind_known',
        ),
        migrations.AddField(
            model_name='job',
            name='arguments',
            field=models.JSONField(blank=True, default=dict, help_text='What it is to do.', verbose_name='arguments'),
        ),
        migrations.AddField(
            model_name='job',
            name='outcome',
            field=models.JSONField(blank=True, default=dict, help_text='What came of it.', verbose_name='outcome'),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('bot_match', 'bot match'), ('bot_chunk', 'part of a bot match'), ('par', 'par of a cooperative game'), ('import', 'import'), ('import_undo', 'taking back an import'), ('pairing', 'pairing of a tournament round'), ('tournament_file', 'report file of a tournament')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['bot_match', 'bot_chunk', 'par', 'import', 'import_undo', 'pairing', 'tournament_file'])), name='job_kind_known'),
        ),
        migrations.AddField(
            model_name='tournamentfile',
            name='club',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.club', verbose_name='club'),
        ),
        migrations.AddField(
            model_name='tournamentfile',
            name='job',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='tournament_file', to='league.job', verbose_name='job'),
        ),
        migrations.AddField(
            model_name='tournamentfile',
            name='tournament',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.tournament', verbose_name='tournament'),
        ),
        # Last: PostgreSQL alters no table whose rows were changed in the same transaction.
        migrations.RunPython(from_events, migrations.RunPython.noop),
    ]
