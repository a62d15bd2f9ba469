"""HTML pages in one file: style and scripts stand in the page, and nothing is loaded from anywhere."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Sequence

from mluops_conformance.support.formatting import legible

ASSETS = Path(__file__).parent / "assets"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""The browser itself sees to it that a page loads nothing, whatever stands in it."""


def page(title: str, body: str, styles: Sequence[str] = (), scripts: Sequence[str] = ()) -> str:
    """A whole document.

    Parameters
    ----------
    title : str
        As plain text.
    body : str
        HTML.
    styles, scripts : sequence of str
        Files of the folder `assets`, in this order, after `base.css`.
    """
    style = "".join(map(_asset, ("base.css", *styles)))
    script = "".join(f"<script>\n{_asset(name)}</script>\n" for name in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{html.escape(legible(title))}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n{script}</body>\n</html>\n"
    )


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
