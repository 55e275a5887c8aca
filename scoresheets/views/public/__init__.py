"""The pages of a sheet that anybody with a link to it may read, and those that need no sheet."""
