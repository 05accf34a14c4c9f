"""Annotating vocal events by hand: tasks, every action kept, qualification, agreement, and a page on this machine."""
