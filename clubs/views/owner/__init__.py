"""Pages of the owner of the site. Nobody else is told that they are there (`clubs.access.visit.require_owner`)."""
