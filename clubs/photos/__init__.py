"""Photos that members add to a night or to the handover of a trophy, and pictures made small."""
