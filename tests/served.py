"""A command `scorespec` for shells that starts within milliseconds: a process with all imports forks for each call.

The command is a script of bash. It writes its process id into a pipe, and waits for the exit code in a second pipe. The
arguments, the folder, the environment and the streams of the call are those of the script, which stand in /proc.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

_CALLS = "calls"
_SCRIPT = """#!/bin/bash
answer="${0%/*}/$$"
mkfifo "$answer"
echo $$ > "${0%/*}/calls"
read -r code < "$answer"
rm "$answer"
exit "$code"
"""


@contextmanager
def serving(folder: Path) -> Iterator[Path]:
    """While this is entered, the folder has a command `scorespec`; yields the folder.

    On a system without /proc, the folder stays empty, so that shells find the command that is installed.
    """
    if not Path("/proc/self/fdinfo").is_dir():
        yield folder
        return
    os.mkfifo(folder / _CALLS)
    (folder / "scorespec").write_text(_SCRIPT)
    (folder / "scorespec").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen([sys.executable, __file__, str(folder)], stdin=subprocess.PIPE, env=environment)
    try:
        yield folder
    finally:
        server.communicate()  # the server ends with its standard input, also if this process is killed
        (folder / _CALLS).unlink()


def _call(caller: int) -> int:
    """Run the command of the script with this process id, in the process that was forked for it; its exit code."""
    from scorespec.cli import app
    from scorespec.core.process import run

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    of_caller = Path(f"/proc/{caller}")
    for number in (0, 1, 2):
        flags = int(re.findall(r"flags:\s*(\d+)", (of_caller / "fdinfo" / str(number)).read_text())[0], 8)
        stream = os.open(of_caller / "fd" / str(number), flags & (os.O_ACCMODE | os.O_APPEND))
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(of_caller / "cwd")
    os.environ.clear()
    os.environ.update(each.split("=", 1) for each in (of_caller / "environ").read_text().split("\0") if "=" in each)
    _, _, *arguments = (of_caller / "cmdline").read_text().split("\0")[:-1]  # after bash and the path of the script
    try:
        run(lambda: app(arguments, prog_name="scorespec"))
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1


def _answer(folder: Path, caller: int) -> NoReturn:
    code = 1
    try:
        code = _call(caller)
        atexit._run_exitfuncs()
    finally:
        os.closerange(1, 3)  # who reads these pipes sees their end before the script ends
        (folder / str(caller)).write_text(f"{code}\n")
        os._exit(0)


def _serve(folder: Path) -> None:
    import scorespec
    import scorespec.results.saving
    import scorespec.run.runner  # a run imports both late

    scorespec.compile("zerospeech2017")  # reads the documents and the templates; no database is open at a fork
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes of the calls
    with (folder / _CALLS).open("r+b", buffering=0) as calls:
        while sys.stdin not in select.select([calls, sys.stdin], [], [])[0]:
            for caller in calls.read(4096).split():
                if os.fork() == 0:
                    _answer(folder, int(caller))


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
