"""Timed comparisons, started by hand; no test and no product needs them."""
