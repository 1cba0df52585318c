"""apps/python/README.md, and README.md of Python: their examples run as they are written, and print what stands below them."""

import contextlib
import io
import re

import pytest

from conftest import PAGE, ROOT, page_models

FRONT = re.search(r"^## In Python\n.*?(?=^## )", (ROOT / "README.md").read_text(), re.M | re.S)[0]
SECTIONS = re.split(r"^#{1,3} ", PAGE.read_text() + FRONT, flags=re.M)[1:]
EXAMPLES = {s.split("\n", 1)[0]: re.findall(r"```(python|text)\n(.*?)```", s, re.S) for s in SECTIONS}


def as_printed(pattern, text):
    """A line of three points stands for any lines."""
    parts = [re.escape(p) for p in re.split(r"^\.\.\.\n", pattern, flags=re.M)]
    return re.fullmatch("(?:.*\n)*".join(parts), text)


@pytest.mark.parametrize("title", [t for t, blocks in EXAMPLES.items() if blocks])
def test_example(title, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").symlink_to(ROOT / "models")
    for name, text in page_models().items():
        (tmp_path / name).write_text(text)
    names, printed = {}, ""
    for kind, text in EXAMPLES[title]:
        if kind == "text":
            assert as_printed(text, printed), printed
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, title, "exec"), names)
        printed = out.getvalue()


def test_page_has_eight_examples():
    assert sum(bool(re.match(r"\d\. ", title)) for title in EXAMPLES) == 8 and EXAMPLES["In Python"]


def test_as_printed_notices_what_is_not_so():
    assert as_printed("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not as_printed("a\n...\nd\n", "a\nb\nc\n")
    assert not as_printed("a\n", "b\n")
