"""The addresses that say whether the web server is well."""

from tests.product import Product, get


def test_a_running_product_is_live_and_ready(server: Product) -> None:
    live, ready = get(server.url + "/health/live"), get(server.url + "/health/ready")
    assert (live.status, live.body) == (200, b'{"status": "live"}')
    assert (ready.status, ready.body) == (200, b'{"status": "ready"}')
    assert "no-store" in ready.headers["Cache-Control"]
