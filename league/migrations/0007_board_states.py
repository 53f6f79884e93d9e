from django.db import migrations, models

import league.models.clubs


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0006_visibility_instead"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="board_state",
            field=models.BigIntegerField(default=league.models.clubs.new_board_state, editable=False),
        ),
        migrations.AddField(
            model_name="season",
            name="board_state",
            field=models.BigIntegerField(default=league.models.clubs.new_board_state, editable=False),
        ),
    ]
