"""Running the product: the commands of `manage.py` and what they share."""
