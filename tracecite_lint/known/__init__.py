"""What a team has settled, and what earlier runs left: baselines, locks, citations that could not be checked."""
