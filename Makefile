# The two commands of the project are `make run` and `make test`; nothing but Python 3.11 or newer has to be there.
# Variables: PORT, HOST, DEMO, DATA_DIR and all of docs/operations.md reach the product; VENV is its environment.

VENV ?= .venv
LOCK ?= requirements.lock
TEST_VENV ?= .venv-test
LOCK_VENV = build/lock-venv
GAMES ?= 2000
STORIES ?= 300
LIVES ?= 30
SEATING_SEEDS ?= 5

# The newest Python that runs; a name that is found but does not start (a version manager's stub) is passed over.
define find_python
python=; for name in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python=$$name; break; fi; \
done; \
if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed: install it, or name it with PYTHON=/path/to/python3" >&2; exit 1; fi
endef

.PHONY: help run test soak lock messages clean

help:
	@echo "make run     start Tischliga here (PORT=8000 HOST=127.0.0.1 DEMO=1 DATA_DIR=data)"
	@echo "make test    run every check and every test, with the servers they need"
	@echo "make soak    2,000 random games of every game, option and table (GAMES=2000), 300 stories of random edits and rules (STORIES=300), 30 long lives of a tournament of each format (LIVES=30), every limit of the API, every planned seating with 5 seeds (SEATING_SEEDS=5)"
	@echo "make lock    renew the lock files from pyproject.toml"
	@echo "make messages  collect user-facing strings into the catalogues and compile them"
	@echo "make clean   remove what make made; data/ stays"

run:
	@$(find_python); $$python .ci/environment.py $(VENV) $(LOCK) && exec $(VENV)/bin/python manage.py serve

test:
	@$(find_python); $$python .ci/environment.py $(TEST_VENV) requirements-test.lock && exec $(TEST_VENV)/bin/python -m tests.run

soak:
	@$(find_python); $$python .ci/environment.py $(TEST_VENV) requirements-test.lock && \
		env RANDOM_GAMES=$(GAMES) $(TEST_VENV)/bin/python -m pytest --verbose tests/games/test_random_play.py && \
		env TISCHLIGA_EVERY_LIMIT=1 $(TEST_VENV)/bin/python -m pytest --timeout=1800 tests/api/test_schema.py tests/api/test_bad_input.py && \
		env TISCHLIGA_SEATING_SEEDS=$(SEATING_SEEDS) $(TEST_VENV)/bin/python -m pytest tests/pairing/test_seating.py && \
		env TISCHLIGA_EDIT_STORIES=$(STORIES) TISCHLIGA_RULES_STORIES=$(STORIES) $(TEST_VENV)/bin/python -m pytest --timeout=7200 tests/services/test_edits.py tests/services/test_standings.py && \
		exec env TISCHLIGA_TEST_DB=sqlite TISCHLIGA_EDIT_STORIES=$(LIVES) TISCHLIGA_STORY_STEPS=60 $(TEST_VENV)/bin/python -m pytest --timeout=0 tests/services/test_tournament_stories.py

lock:
	@$(find_python); [ -x $(LOCK_VENV)/bin/uv ] || { $$python -m venv $(LOCK_VENV) && $(LOCK_VENV)/bin/pip install --quiet uv; }
	@$(LOCK_VENV)/bin/uv pip compile $(UV_OPTIONS) pyproject.toml -o requirements.lock
	@$(LOCK_VENV)/bin/uv pip compile $(UV_OPTIONS) pyproject.toml --group test -c requirements.lock -o requirements-test.lock

UV_OPTIONS = --quiet --universal --extra fide --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' $(LOCK_OPTIONS)

messages:
	@$(find_python); $$python .ci/environment.py $(TEST_VENV) requirements-test.lock && exec $(TEST_VENV)/bin/python manage.py updatemessages

clean:
	rm -rf $(VENV) $(TEST_VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
