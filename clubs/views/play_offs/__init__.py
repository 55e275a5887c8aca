"""Pages of a play-off: plan, page, next tables, rulings."""
