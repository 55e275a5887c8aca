"""What the club wrote down before it had this site: results and holders of trophies, out of a spreadsheet.

`reading` opens a file and believes nothing, `results` and `holders` say what its lines mean and write it down.
"""
