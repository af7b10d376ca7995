"""What agents use that write: an MCP server, a hook after their edits, a skill, and the check of their transcripts."""
