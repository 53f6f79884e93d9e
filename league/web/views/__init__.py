"""Views, one topic a file: read the clock, parse, call a service or a reading, render."""
