"""Every kind of file that a command reads, and commands in this process that must survive all of them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import pytest
from mluops_conformance import exit_codes
from mluops_conformance.cli import main

ISSUES = """\
- cases: [masked_im2col_forward/refused]
  reason: It is only known here.
  links: [https://example.org/1]
  expires: 2999-12-31
  fails: sometimes
"""
HEADER = """\
#define MLUOP_MAJOR 1
typedef enum { MLUOP_STATUS_SUCCESS = 0, MLUOP_STATUS_BAD_PARAM = 3 } mluOpStatus_t;
typedef struct mluOpContext *mluOpHandle_t;
mluOpStatus_t MLUOP_WIN_API mluOpCreate(mluOpHandle_t *handle);
"""
SAMPLES = '{"schema": 1, "results": [{"name": "a", "wall": [0.1], "cpu": [0.1]}]}'
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class Answer(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def attempt() -> Callable[..., Answer]:
    """Call the command; nothing that it is given may be taken for a defect of it."""

    def call(*words: str) -> Answer:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
        texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
        answer = Answer(code, *texts)
        assert code != exit_codes.INTERNAL_ERROR, (words, answer)
        assert code == exit_codes.PASSED or any(texts), f"{words} failed without a word"
        assert not UNPRINTABLE.search(answer.err), (words, answer)
        return answer

    return call


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory, attempt: Callable[..., Answer], case_text: str) -> Path:
    """A folder with a good file of every kind."""
    folder = tmp_path_factory.mktemp("world")
    texts = {"cases.yaml": case_text, "issues.yaml": ISSUES, "mlu_op.h": HEADER, "samples.json": SAMPLES}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = "run --cases cases.yaml --backend emulator --out run -n 0 --save always --fault any/one-element"
    done = subprocess.run([sys.executable, "-m", "mluops_conformance", *words.split()], cwd=folder)
    assert done.returncode == exit_codes.FAILED
    attempt("history", "add", str(folder / "run"), "--index", str(folder / "index.sqlite"))
    tiny = "masked_im2col_forward/tiny:dtype=float16"
    attempt("export-gtest", tiny, "--cases", str(folder / "cases.yaml"), "-o", str(folder))
    os.rename(next(folder.glob("masked_im2col_forward/*.prototxt")), folder / "case.prototxt")
    os.rename(folder / "run/artefacts/masked_im2col_forward-tiny@dtype=float16.npz", folder / "data.npz")
    return folder


@pytest.fixture
def here(world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the hostile folder the current one, and return it."""
    monkeypatch.chdir(world)
    return world
