"""Programs to copy from; the product needs none of them."""
