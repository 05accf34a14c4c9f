"""Published corpora with vocal events in their transcripts, brought into the tags of the taxonomy."""
