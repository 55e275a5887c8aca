"""What a link to a page of a club shows in a chat (`scoresheets.link_previews`): a club, a night, a standing …

Stands on the play-off page and on what lies below it. Begin with `previews`; `tags` puts one into the head of a page.
"""
