"""Random numbers that are used more than once, exactly: what is known of them, and what follows."""
