"""A ledger that grows by batches of strangers, relatives, bridges and old acquaintances."""

import itertools
from collections import defaultdict

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sonolake.splits import ASSETS, Member, assign, from_table, to_table


class GrowingLedger(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.rows = []
        self.first_seen = {}
        self.near = set()
        self.serial = 0

    def new_item(self):
        self.serial += 1
        return f"item{self.serial:04}"

    def commit(self, batch, near=()):
        assignment = assign("take", batch, self.rows, ASSETS, near)
        self.rows += assignment.rows
        for row in assignment.rows:
            self.first_seen[row.item] = row.split
        self.near |= {tuple(sorted(pair)) for pair in near}
        return assignment

    @initialize(count=st.integers(0, 8))
    def begin(self, count):
        self.commit([Member(self.new_item(), frozenset({f"source:{n}"}), "dog") for n in range(count)])

    @rule(count=st.integers(1, 6), pack=st.booleans(), stratum=st.sampled_from(["dog", "rain"]))
    def strangers_arrive(self, count, pack, stratum):
        key = frozenset({f"pack:{self.serial}"}) if pack else frozenset()
        batch = [Member(self.new_item(), key, stratum) for _ in range(count)]
        assert not self.commit(batch).set_aside

    @rule(data=st.data())
    def a_near_duplicate_arrives(self, data):
        if self.rows:
            old = data.draw(st.sampled_from(self.rows))
            item = self.new_item()
            rows = self.commit([Member(item, stratum=old.stratum)], [(item, old.item)]).rows
            assert [(row.item, row.split) for row in rows] == [(item, old.split)]

    @rule(data=st.data(), company=st.integers(0, 2))
    def a_bridge_arrives(self, data, company):
        if len(self.rows) >= 2:
            one, other = data.draw(st.tuples(st.sampled_from(self.rows), st.sampled_from(self.rows)))
            items = [self.new_item() for _ in range(company + 1)]
            chain = list(itertools.pairwise(items))
            near = [(items[0], one.item), (items[-1], other.item), *chain]
            assignment = self.commit([Member(item, stratum=one.stratum) for item in items], near)
            assert len(assignment.set_aside) == (0 if one.split == other.split else len(items))

    @rule(data=st.data())
    def all_are_asked_about_again(self, data):
        order = data.draw(st.permutations(self.rows))
        batch = [Member(row.item, frozenset(row.keys), row.stratum) for row in order]
        assert self.commit(batch).rows == ()

    @rule()
    def the_ledger_is_written_and_read(self):
        self.rows = from_table(to_table(self.rows))

    @invariant()
    def nobody_moves(self):
        assert {row.item: row.split for row in self.rows} == self.first_seen
        assert len(self.rows) == len(self.first_seen)

    @invariant()
    def nothing_straddles(self):
        splits, groups = defaultdict(set), defaultdict(set)
        for row in self.rows:
            groups[row.group_id].add(row.split)
            for key in row.keys:
                splits[key].add(row.split)
        assert all(len(found) == 1 for found in [*splits.values(), *groups.values()])
        for one, other in self.near:
            if one in self.first_seen and other in self.first_seen:
                assert self.first_seen[one] == self.first_seen[other]


TestGrowingLedger = GrowingLedger.TestCase
TestGrowingLedger.settings = settings(deadline=None, max_examples=40, stateful_step_count=20)
