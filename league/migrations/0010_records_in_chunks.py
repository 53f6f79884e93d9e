from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0009_bot_matches"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="botmatch",
            name="records",
        ),
    ]
