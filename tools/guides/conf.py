"""How Sphinx makes the guides of README.md and docs/*.md."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

project = "Cardref"
html_show_copyright = False
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "site": "{{path}}"}  # site: what the service itself serves
html_theme = "furo"
html_title = "Cardref"
html_favicon = "static/icon.svg"
html_sidebars = {
    "**": [
        *(f"sidebar/{part}.html" for part in ("scroll-start", "brand", "search")),
        "reference.html",
        *(f"sidebar/{part}.html" for part in ("navigation", "scroll-end")),
    ]
}
html_static_path = ["static"]
html_css_files = ["guides.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_theme_options = {"top_of_page_buttons": []}
templates_path = ["templates"]
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # shown JSON may say "…"


def name_rows(app: Sphinx, tree: nodes.document) -> None:
    """Each row of a table that begins with a name in code is an anchor of that name: a problem's `type` leads there."""
    seen: set[str] = set()
    for row in tree.findall(nodes.row):
        first = row.next_node(nodes.entry)
        words = [*first.findall(nodes.literal)] if first is not None else []
        name = words[0].astext() if words and first.astext() == words[0].astext() else ""
        if name.isidentifier() and name not in seen:
            seen.add(name)
            row["ids"].append(name)


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", name_rows)
