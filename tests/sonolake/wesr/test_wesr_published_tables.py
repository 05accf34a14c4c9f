"""The averages of the paper's tables 4 and 8 from their rows. Source of the figures: WESR (ACL 2026 findings), table 4
(seven systems, 21 tags) and table 8 (seven aggregates), transcribed into ``published_table_*.csv``, in per cent."""

import csv
from pathlib import Path

import pytest

from sonolake.wesr.counts import Rates, macro
from sonolake.wesr.taxonomy import AGGREGATES, TAGS


def table(number):
    with (Path(__file__).parent / f"published_table_{number}.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    found = {}
    for row in rows:
        rates = Rates(*(float(row[key]) for key in ("precision", "recall", "f1")))
        found.setdefault(row["system"], {})[row["row"]] = rates
    return found


@pytest.mark.parametrize(
    ("number", "labels"),
    [(4, {tag.text for tag in TAGS}), (8, {name.capitalize() for name in AGGREGATES})],
)
def test_macro_averages_follow_from_the_rows(number, labels):
    systems = table(number)
    assert len(systems) == 7
    for name, rows in systems.items():
        assert set(rows) == labels | {"Micro avg.", "Macro avg."}
        made = macro([rates for label, rates in rows.items() if label in labels])
        published = rows["Macro avg."]
        # rows are rounded to a tenth, and so is the average
        assert made.f1 == pytest.approx(published.f1, abs=0.1001), name
        assert made.precision == pytest.approx(published.precision, abs=0.1001), name
        assert made.recall == pytest.approx(published.recall, abs=0.1001), name


def test_micro_f1_follows_from_micro_precision_and_recall():
    for number in (4, 8):
        for name, rows in table(number).items():
            micro = rows["Micro avg."]
            f1 = 2 * micro.precision * micro.recall / (micro.precision + micro.recall)
            assert f1 == pytest.approx(micro.f1, abs=0.11), name
