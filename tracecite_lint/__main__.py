"""`python -m tracecite_lint`."""

import sys

from tracecite_lint.cli import main

sys.exit(main())
