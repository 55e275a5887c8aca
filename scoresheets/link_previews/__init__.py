"""What a link shows in a chat before anybody opens it: a title, a sentence, and a picture of 1200 x 630.

Stands on files and results. Begin with `preview`; `of_sheet` makes that of a sheet. Those of a club's pages are in
`clubs.link_previews`.
"""
