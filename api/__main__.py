"""How the process `warpath` starts and ends: a command should be over in less time than Python takes to tidy up."""

from __future__ import annotations

import atexit
import gc
import os


def main() -> None:
    """Runs the command line; the console script `warpath`."""
    gc.set_threshold(100_000)  # a start keeps what it makes: there is hardly garbage to look for
    atexit.register(gc.freeze)  # nor at the end, when the system takes back everything
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # no matrix here is worth a second one, which waits by spinning
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it reads the metadata of all that is installed
    from api.cli import main as run

    run()


if __name__ == "__main__":
    main()
