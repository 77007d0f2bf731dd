"""Builds the guides, which the service serves at /docs/guides, from README.md and docs/*.md: python tools/guides/build.py [FOLDER].

The pages are written for GitHub, where they lie in folders; here they are pages of one site, so links between them are
written anew. Sphinx does the rest, with Furo's looks. A folder that is up to date is left as it is.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILT = ROOT / "build" / "guides"
# In the order of the sidebar; README.md is the front page.
PAGES = {
    "README.md": "index.md",
    **{
        f"docs/{name}.md": f"{name}.md"
        for name in (
            "play",
            "api",
            "rules",
            "formats",
            "glossary",
            "hosted",
            "operations",
            "reliability",
            "errors",
            "fairness",
            "solver",
            "architecture",
        )
    },
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
PICTURES = {".svg", ".png"}
SERVED = {"openapi.yaml": "site:/openapi.yaml"}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_COMMENT = re.compile(r"^<!-- .*? -->\n", re.MULTILINE)  # for those who keep the pages
_BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def linked(text: str, page: str) -> str:
    """A page's text with the links of a folder written as those of the site; what is no part of it loses its link."""
    folder = Path(page).parent

    def link(found: re.Match[str]) -> str:
        mark, title, target = found.groups()
        path, _, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return found[0]
        file = os.path.normpath(folder / path)
        place = PAGES.get(file) or SERVED.get(file)
        if place:
            return f"{mark}[{title}]({place}{'#' + anchor if anchor else ''})"
        return f"{mark}[{title}]({Path(file).name})" if Path(file).suffix in PICTURES else title

    parts = _BLOCK.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(link, _COMMENT.sub("", part)) for part in parts)


def pictures() -> list[Path]:
    """The pictures that pages show."""
    return sorted(file for file in (ROOT / "docs").iterdir() if file.suffix in PICTURES)


def fingerprint() -> str:
    """Of everything that the guides are made from."""
    known = hashlib.sha256()
    sources = [*(ROOT / page for page in PAGES), *pictures(), *sorted(HERE.rglob("*.*"))]
    for file in (*sources, ROOT / "requirements-docs.txt"):
        if "__pycache__" not in file.parts:
            known.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return known.hexdigest()


def build(built: Path = BUILT) -> bool:
    """Make the guides in a folder, at once or not at all. False: they were up to date."""
    built.parent.mkdir(parents=True, exist_ok=True)
    with (built.parent / f".{built.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second finds them built
        return _build(built)


def _build(built: Path) -> bool:
    mark, wanted = built / ".made-from", fingerprint()
    if mark.is_file() and mark.read_text() == wanted:
        return False
    with tempfile.TemporaryDirectory(dir=built.parent) as place:
        source, fresh = Path(place, "source"), Path(place, "fresh")
        source.mkdir()
        for page, name in PAGES.items():
            (source / name).write_text(linked((ROOT / page).read_text(encoding="utf-8"), page), encoding="utf-8")
        contents = "\n".join(Path(name).stem for name in [*PAGES.values()][1:])
        with (source / "index.md").open("a", encoding="utf-8") as front:
            front.write(f"\n```{{toctree}}\n:hidden:\n\n{contents}\n```\n")
        for picture in pictures():
            shutil.copy(picture, source)
        options = ["-q", "-W", "--keep-going", "-b", "html", "-d", f"{place}/doctrees", "-c", str(HERE)]
        subprocess.run([sys.executable, "-m", "sphinx", *options, source, fresh], check=True)
        shutil.rmtree(fresh / "_sources", ignore_errors=True)
        (fresh / ".made-from").write_text(wanted)
        fresh.chmod(0o755)
        shutil.rmtree(built, ignore_errors=True)
        fresh.rename(built)
    return True


if __name__ == "__main__":
    made = build(*(Path(folder) for folder in sys.argv[1:2]))
    print("cardref: the guides have been built" if made else "cardref: the guides are up to date")
