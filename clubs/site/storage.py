"""The storage of static files, with hashed names."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Files under names that change with their content, compressed once, to be kept by browsers for ever.

    The modules of our scripts import one another, and those imports are given the changing names too:
    else a browser could run a new pad with an old outbox.
    """

    # Only in our own scripts: a package may ship a file that merely looks as if it imported another.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),
    )
