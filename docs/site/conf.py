"""How Sphinx makes the website out of what generate.py writes. No date, no path of the machine: the same bits each time."""

import os

project = "torch"
author = "the authors of torch"
project_copyright = ""
version = release = os.environ["TORCH_DOCS_VERSION"]
extensions = ["myst_parser"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
root_doc = "index"
exclude_patterns = []
templates_path = []
# A page of its own for each name: the sidebar lists modules, a module's page its names.
toc_object_entries = False
add_module_names = True
default_role = "code"
# Every reference that a page makes is checked by Sphinx; tests/docs/check.py follows the links of the result.
keep_warnings = False
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
pygments_style = "default"
pygments_dark_style = "monokai"
highlight_language = "python3"
myst_heading_anchors = 4
myst_enable_extensions = []
# Text is taken as it stands: no curly quotes in code-like prose.
smartquotes = False

html_theme = "furo"
html_title = "torch"
html_static_path = []
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {"navigation_with_keys": True}
html_search_language = "en"
html_use_index = True
html_split_index = False
html_domain_indices = False
