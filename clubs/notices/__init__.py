"""Notices: what happens in a club, told to its people on their phones (Web Push) or by email, as each of them chose.

Stands on the outbox, which keeps and repeats what could not be sent. `announcing` writes the events that nothing else
does. `audience` says who may hear, `texts` what each of them is told, and two channels send it: `push` and `mail`.
What somebody wants is in `choices`: nobody is told anything before they switched it on. Begin with `texts`.

* A notice says no more than the club shows to the browser or the account it goes to. Hidden names stay hidden.
* A browser is told as long as it is signed in, or as long as its phone may answer for who uses it. `this_browser` knows
  it again, and ends that as soon as somebody else says that they use it.
* Of people only those who sit at one's own table are named, and only in notices that wait for nothing. An email with
  the story of a night names those whom the page of the story names when the mail is sent.
"""
