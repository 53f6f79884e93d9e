"""Tests of running the product: the commands, the servers, the compose file."""
