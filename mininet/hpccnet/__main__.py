"""Entry of `python3 -m hpccnet`, with PYTHONPATH at the folder above."""

import sys

from .commands import main

sys.exit(main(sys.argv[1:]))
