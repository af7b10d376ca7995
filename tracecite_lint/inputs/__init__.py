"""What a person or a hook names becomes documents that are ready to be checked."""
