"""Pages of a night: planning, roll call, drawing, the night, control."""
