from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoresheets", "0003_one_throttle"),
    ]

    operations = [
        migrations.RenameField(model_name="sheet", old_name="veils", new_name="aliases_version"),
        migrations.AlterField(
            model_name="revision",
            name="verb",
            field=models.CharField(
                choices=[
                    ("open", "opened the sheet"),
                    ("set-up", "changed the set-up"),
                    ("enter", "wrote"),
                    ("agree", "wrote the same"),
                    ("undo", "took back"),
                    ("retype", "had typed it wrong"),
                    ("misdeal", "misdeal"),
                    ("stop", "stopped the game"),
                    ("play-on", "played on"),
                    ("note", "noted"),
                    ("announce", "announced"),
                    ("call", "is called"),
                    ("correct", "corrected"),
                    ("restore", "went back to before"),
                    ("arrive", "wrote who came"),
                    ("leave", "wrote who went home"),
                    ("substitute", "wrote who took over"),
                    ("reseat", "wrote who sits where"),
                    ("pencil", "started scoring"),
                    ("paper", "typed in from paper"),
                    ("carry", "brought totals along"),
                    ("rule", "ruled"),
                ],
                max_length=12,
            ),
        ),
    ]
