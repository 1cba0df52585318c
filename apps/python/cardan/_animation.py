"""Moving pictures of a run."""

from __future__ import annotations

import html
import os
import tempfile
import typing as t
from typing import List, Optional, Tuple, Union

from . import _cardan
from ._errors import tell
from ._result import Result

__all__ = ["Animation"]


class Animation:
    """A run that can be looked at: in a notebook as it is, or in a file. `result` has its curves."""

    def __init__(self, picture: _cardan.Picture, result: Result, open: t.Sequence[str]) -> None:
        self._picture = picture
        self._open = list(open)
        self._page: Optional[str] = None
        self.result = result

    def save(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        time: Optional[float] = None,
        view: str = "home",
        size: Tuple[int, int] = (960, 600),
    ) -> None:
        """Writes a page (.html), a glTF file (.glb) or a still (.png). `time` [s] (default: the last),
        `view` (x, y, z, iso, home) and `size` [pixels] are of a still."""
        width, height = size
        tell(self._picture.write(os.fspath(path), time, view, width, height, self._open))

    def page(self) -> str:
        """The page as a text: one file that works without a network."""
        if self._page is None:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "page.html")
                self.save(path)
                with open(path, encoding="utf-8") as file:
                    self._page = file.read()
        return self._page

    def _repr_html_(self) -> str:
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="480" style="border:0" allowfullscreen></iframe>'
