"""Compares two sides by alternating between them, so that noise and growth hit both."""

from dataclasses import dataclass
from statistics import median


@dataclass
class Row:
    """One line of the table: how often the first side is the second."""

    target: str
    what: str
    ratios: list
    first: list
    second: list
    unit: str
    at_least: float = None
    at_most: float = None

    @property
    def wanted(self):
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return f"≤ {self.at_most:g}" if self.at_most is not None else ""

    @property
    def met(self):
        middle = median(self.ratios)
        if self.at_least is not None:
            return "yes" if middle >= self.at_least else "**no**"
        if self.at_most is not None:
            return "yes" if middle <= self.at_most else "**no**"
        return ""

    def markdown(self):
        return (f"| {self.target} | {self.what} | {self.wanted} | **{number(median(self.ratios))}** "
                f"({number(min(self.ratios))} – {number(max(self.ratios))}) | {self.met} | "
                f"{amount(self.first, self.unit)} | {amount(self.second, self.unit)} |")

    def page_line(self, date):
        """The row in docs/performance.md: both sides in one column, and when it was measured."""
        sides = f"{amount(self.first, self.unit)} ÷ {amount(self.second, self.unit)}" if self.second else self.unit
        return (f"| {self.target} | {self.what} | {self.wanted} | **{number(median(self.ratios))}** "
                f"({number(min(self.ratios))} – {number(max(self.ratios))}) | {self.met} | {sides} | {date} |")


HEADING = """\
| | what | wanted | median (min – max) | met | first | second |
|---|---|---|---|---|---|---|"""

PAGE_HEADING = """\
| figure | what | target | median (min – max) | met | sides or unit | measured |
|---|---|---|---|---|---|---|"""


def compare(first, second, rounds):
    """Measures A B, B A, A B, ... and answers all of A and all of B, pair by pair."""
    pairs = []
    for turn in range(rounds):
        if turn % 2 == 0:
            a, b = first(), second()
        else:
            b, a = second(), first()
        pairs.append((a, b))
    return [a for a, _ in pairs], [b for _, b in pairs]


def row(target, what, first, second, unit, **bound):
    """A row from the figures of two sides, pair by pair."""
    return Row(target, what, [a / b for a, b in zip(first, second)], first, second, unit, **bound)


def absolute(target, what, values, unit, **bound):
    """A row of figures that are compared with nothing but the target."""
    return Row(target, what, values, values, [], unit, **bound)


def amount(values, unit):
    return f"{number(median(values))} {unit}" if values else ""


def number(value):
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
