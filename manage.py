#!/usr/bin/env python
"""The command line of the site."""

import gc
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubs.settings")
    if sys.argv[1:2] == ["serve"] and not {"--once", "--reload", "-h", "--help"} & set(sys.argv):
        # Without Django: the server is a process of its own, and loads it.
        from clubs.server import supervisor

        sys.exit(supervisor.main(sys.executable, *sys.argv, "--once"))
    if sys.argv[1:2] == ["serve"]:
        # What is loaded now stays: to look for garbage among it takes a twelfth of the start (clubs.server.workers).
        gc.disable()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
