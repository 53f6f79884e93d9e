"""Make a virtual environment that holds exactly what a lock file names: `python environment.py FOLDER LOCK`.

Runs on any Python from 3.11 on with nothing installed. Does nothing when the folder was made from the same lock
file, so it can stand before every command. The lock file's hashes are always checked.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

STAMP = "made-from.lock"
_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main(folder: Path, lock: Path) -> int:
    python = folder / "bin" / "python"
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes() and _works(python):
        return 0
    print(f"{folder}: making the environment from {lock}; the first time takes about half a minute.", flush=True)
    if not _works(python):
        shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True, check=False)
        if made.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            return _fail(
                f"{sys.executable} -m venv failed. On Debian or Ubuntu type this, then try again:\n"
                f"    apt-get install python{version}-venv\n\n{made.stdout}{made.stderr}"
            )
    stamp.unlink(missing_ok=True)
    status = _install(python, folder, lock)
    if status == 0:
        shutil.copyfile(lock, stamp)
    return status


def _install(python: Path, folder: Path, lock: Path) -> int:
    """Run pip with one line that says how far it is; give its exit status."""
    total = sum(1 for line in lock.read_text().splitlines() if line[:1].isalnum())
    started = time.monotonic()
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--require-hashes",
        # A lock file names all that anything needs: there is nothing left to work out.
        "--no-deps",
        # One module after the other, on one processor: see _compile.
        "--no-compile",
        "--no-input",
        "--requirement",
        lock,
    ]
    said: list[str] = []
    found = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            words = line.split()
            if words[:1] == ["Collecting"] or words[:2] == ["Requirement", "already"]:
                found += 1
                _progress(f"{folder}: package {min(found, total)} of {total}")
            elif line.startswith("Installing"):
                _progress(f"{folder}: installing {found} packages")
    if pip.returncode:
        return _fail(f"pip could not install {lock}:\n{''.join(said[-30:])}")
    _compile(python)
    _progress(f"{folder}: {found} packages in {time.monotonic() - started:.0f} s")
    print(flush=True)
    return 0


def _compile(python: Path) -> None:
    """Compile what is installed, on all processors; files that are examples of what can't be are passed over."""
    where = subprocess.run([python, "-c", _PACKAGES], capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run([python, "-m", "compileall", "-q", "-j", "0", where], capture_output=True, check=False)


def _progress(text: str) -> None:
    """Rewrite the line on a terminal; elsewhere the caller's last text is enough."""
    if sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)
    elif text.endswith(" s"):
        print(text, end="", flush=True)


def _works(python: Path) -> bool:
    return os.access(python, os.X_OK) and not subprocess.run([python, "-c", ""], check=False).returncode


def _fail(text: str) -> int:
    print(f"\n{text}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
