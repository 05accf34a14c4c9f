"""Word-level event-speech recognition: the tags of vocal events, tagged text, and how candidates are mined (WESR)."""
