"""The addresses that say whether the web server is well."""

from pathlib import Path

from tests.product import Product, get, wait_for


def test_a_running_product_is_live_and_ready(server: Product) -> None:
    live, ready = get(server.url + "/health/live"), get(server.url + "/health/ready")
    assert (live.status, live.body) == (200, b'{"status": "live"}')
    assert (ready.status, ready.body) == (200, b'{"status": "ready"}')
    assert "no-store" in ready.headers["Cache-Control"]


def test_a_web_server_without_its_migrations_is_live_and_not_ready(tmp_path: Path) -> None:
    environ = {"DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}", "STATIC_ROOT": str(tmp_path)}
    (tmp_path / "staticfiles.json").write_text('{"version": "1.1", "paths": {}, "hash": ""}')
    with Product(tmp_path / "data", environ) as product:
        product.launch("web")
        wait_for(lambda: get(product.url + "/health/live").status == 200, "the web server")
        ready = get(product.url + "/health/ready")
        assert (ready.status, ready.body) == (503, b'{"status": "unready", "reason": "migrations are missing"}')
