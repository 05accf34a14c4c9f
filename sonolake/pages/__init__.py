"""Pages that people work on in a browser on this machine: what may reach them, and what all of them share."""
