"""`python -m yomikiri.cluster PLAN --out FOLDER`."""

import sys

from .main import main

sys.exit(main())
