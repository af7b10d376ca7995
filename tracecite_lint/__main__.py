"""`python -m tracecite_lint`."""

import sys

try:
    from tracecite_lint.start import main
except KeyboardInterrupt:
    sys.exit(130)

sys.exit(main())
