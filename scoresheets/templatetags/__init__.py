"""What templates of the table say."""
