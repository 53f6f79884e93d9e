"""`python -m league.management.health web|worker|sweeper`: exit status 0 when that process of this host is well.

For the health checks of containers. The web server is asked over HTTP whether it is ready; worker and sweeper leave
signs of life (`heartbeat.py`). Imports no Django, see there.
"""

import http.client
import os
import sys
from pathlib import Path

from league.management import heartbeat
from league.management.variables import port

TIMEOUT = 5.0  # seconds


def main(arguments: list[str]) -> int:
    match arguments:
        case ["web"]:
            problem = _web_problem(port())
        case ["worker" | "sweeper" as name]:
            data = os.environ.get("DATA_DIR") or Path(__file__).parent.parent.parent / "data"
            problem = heartbeat.problem(Path(data), name)
        case _:
            print("usage: python -m league.management.health web|worker|sweeper", file=sys.stderr)
            return 2
    print(problem or "well")
    return 1 if problem else 0


def _web_problem(port: int) -> str | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("GET", "/health/ready")
        answer = connection.getresponse()
        text = answer.read(1000).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return f"the web server does not answer: {error}"
    finally:
        connection.close()
    return None if answer.status == 200 else f"the web server is not ready: {answer.status} {text}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
