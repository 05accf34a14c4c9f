"""``report.html``: a release as one page to look at and listen to, with nothing outside it."""

from sonolake.releases.report.page import report_html

__all__ = ["report_html"]
