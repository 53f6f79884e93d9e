from django.db import migrations


class Migration(migrations.Migration):
    # Apart from what filled the new column: PostgreSQL alters no table with changes that are still to be checked.
    dependencies = [
        ("league", "0005_leagues"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="season",
            name="is_public",
        ),
    ]
