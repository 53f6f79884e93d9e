import django.db.models.deletion
from django.db import migrations, models


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
            field=models.JSONField(blank=True, db_default={}, default=dict, help_text='What it is to do.', verbose_name='arguments'),
        ),
        migrations.AddField(
            model_name='job',
            name='outcome',
            field=models.JSONField(blank=True, db_default={}, default=dict, help_text='What came of it.', verbose_name='outcome'),
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
    ]
