"""What templates of a club say."""
