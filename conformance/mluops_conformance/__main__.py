"""`python -m mluops_conformance` is the command `mluops-conformance`."""

from __future__ import annotations

import sys

from mluops_conformance.cli import main

sys.exit(main())
