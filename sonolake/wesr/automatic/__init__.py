"""Vocal events written into transcripts by models: one that hears or reads, or the tagger and the words' times."""
