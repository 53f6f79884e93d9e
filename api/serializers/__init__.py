"""The shapes of what comes in and what goes out, one topic a file."""
