"""Who a request comes from, for the limits that count by it."""
