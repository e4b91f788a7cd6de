"""Values of attributes, as hypothesis makes them."""

from __future__ import annotations

from hypothesis import strategies as st

from bzlgraph.base.label import Label
from bzlgraph.base.span import Location
from bzlgraph.bazel.model import (
    Condition,
    Selector,
    SelectorList,
)

words = st.text(min_size=1, max_size=6)
labels = st.builds(Label, st.just("") | words, words, words)
plain = st.none() | st.booleans() | st.integers() | st.text() | labels
values = plain | st.lists(plain) | st.dictionaries(labels | words, plain | st.lists(plain))
conditions = st.builds(Condition, labels, st.just("")) | st.builds(Condition, st.none(), words)
places = st.none() | st.builds(Location, words, st.integers(0, 9), st.integers(0, 9))
selectors = st.builds(Selector, st.lists(st.tuples(conditions, values)).map(tuple), st.text(), places)
attribute_values = values | st.builds(SelectorList, st.lists(values | selectors).map(tuple))
