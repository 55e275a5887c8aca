"""What all processes of the site remember together for a while."""

from django.db import models


class Scrap(models.Model):
    """A piece of scrap paper: a row of Django's cache, which reads and writes it past this model.

    It is a model so that the table comes with the migrations.
    """

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "clubs_scrap"

    def __str__(self) -> str:
        return self.cache_key
