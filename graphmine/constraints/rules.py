"""A rule: what makes links, in which sense, and whether they are hard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from graphmine.checks import check_choice, check_integer, check_name, check_number
from graphmine.constraints.grammar import Sense, read_rule
from graphmine.constraints.rule_checks import LARGEST_NUMBER, check_above_zero, check_flag
from graphmine.constraints.rule_text import written_name
from graphmine.constraints.rule_types import (
    Body,
    Known,
    Order,
    Path,
    Runs,
    Saved,
    Shared,
    Text,
    These,
)
from graphmine.errors import ParameterError
from graphmine.model import Filter
from graphmine.model.naming import written_number

__all__ = ["Rule", "read_rules"]

_WITHOUT_SENSE = (Known, Runs, Saved, Order)  # these say themselves what belongs together and what apart
_ACROSS = (Path, Text, These)


@dataclass(frozen=True)
class Rule:
    """What makes links, in which sense, and whether they are hard.

    Parameters
    ----------
    body
        Where the links come from.
    sense
        ``must`` or ``cannot``; None where the body says it itself.
    across
        Whether the links join nodes of two kinds.
    hard, weight
        Whether the links have to hold, and how much they weigh if not.
    limit
        At most so many links, the strongest first.
    sample, seed
        So many links, or such a share of them below 1, drawn at random.
    where
        Filters on the nodes.
    repeats
        Whether the links come from the same records as the relation; None where that is to be found out.
    name
        What reports call it; the rule itself by default.

    Examples
    --------
    >>> rule = Rule.parse("must Author-WROTE->Paper<-WROTE-Author >= 3; weight 2; where Paper.year >= 2010")
    >>> rule.sense, rule.body.least, rule.weight, rule.hard, rule.kinds
    ('must', 3.0, 2.0, False, ('Author',))
    >>> print(rule)
    must Author-WROTE->Paper<-WROTE-Author >= 3; weight 2; where Paper.year >= 2010
    >>> print(Rule.parse("known Author.area ; fraction .05; hard"))
    known Author.area; fraction 0.05; hard
    >>> Rule.parse("must Author-WROTE->Paper-IN->Conference")
    Traceback (most recent call last):
    graphmine.errors.ParameterError: the rule 'must Author-WROTE->Paper-IN->Conference' links Author with Conference,
    which are two kinds; say must across if that is meant
    """

    body: Body
    sense: Sense | None = None
    across: bool = False
    hard: bool = False
    weight: float = 1.0
    limit: int | None = None
    sample: float | None = None
    seed: int = 0
    where: tuple[Filter, ...] = ()
    name: str = ""
    repeats: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        check_flag("across", self.across)
        check_flag("hard", self.hard)
        self._check_sense()
        self._check_kinds()
        self._check_numbers()
        if self.repeats is not None:
            check_flag("repeats", self.repeats)
        self._check_plain()
        if not self.name:
            object.__setattr__(self, "name", str(self))
        elif self.name != self._text():
            check_name("name", self.name)

    def _check_plain(self) -> None:
        """Refuse options of what makes no links of its own."""
        plain = not self.hard and self.weight == 1 and self.limit is self.sample is None
        if isinstance(self.body, Saved) and not plain:
            raise ParameterError(f"the rule '{self.body}' takes no other option than where, name and repeats")
        if isinstance(self.body, Order) and not (plain and self.repeats is None):
            raise ParameterError(f"the rule '{self.body}' takes no other option than where and name")

    def _check_sense(self) -> None:
        if self.sense is not None:
            check_choice("sense", self.sense, get_args(Sense))
        if self.sense is None and not isinstance(self.body, _WITHOUT_SENSE):
            raise ParameterError(f"the rule '{self.body}' must begin with must or cannot")
        if self.sense is not None and isinstance(self.body, Order | Saved):
            raise ParameterError(f"the rule '{self.body}' takes neither must nor cannot")

    def _check_numbers(self) -> None:
        object.__setattr__(self, "weight", check_number("weight", self.weight, least=1e-9, most=1e9))
        if self.hard and self.weight != 1:
            raise ParameterError(f"the rule '{self.body}' is hard, so it takes no weight")
        if self.limit is not None:
            check_integer("limit", self.limit, least=1)
        if self.sample is not None:
            object.__setattr__(self, "sample", _checked_sample(self.sample))
        check_integer("seed", self.seed, least=0)

    def _check_kinds(self) -> None:
        kinds = self.body.kinds
        if self.across and not isinstance(self.body, _ACROSS):
            raise ParameterError(f"the rule '{self.body}' can not link across kinds")
        if self.across and len(kinds) == 1:
            raise ParameterError(f"the rule '{self._said()}' links {kinds[0]} with itself; leave out across")
        if not self.across and len(kinds) == 2:
            raise ParameterError(
                f"the rule '{self._said()}' links {kinds[0]} with {kinds[1]}, which are two kinds; "
                f"say {self.sense} across if that is meant"
            )
        if isinstance(self.body, Path) and self.body.mutual and self.across:
            raise ParameterError(f"the rule '{self._said()}' links two kinds, so it can not be mutual")

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Read a rule from its text."""
        said = read_rule(text)
        return cls(said.body, said.sense, said.across, **said.options)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds whose nodes it links; none where only the database knows."""
        return self.body.kinds

    @property
    def reads(self) -> tuple[str, ...]:
        """The kinds it goes through; none where only the database knows."""
        return self.body.pattern.kinds if isinstance(self.body, Path | Shared) else self.kinds

    @property
    def gives(self) -> frozenset[str]:
        """What it may make: some of must, cannot, across, order; nothing where only a file knows."""
        if isinstance(self.body, Order | Saved):
            return frozenset({"order"} if isinstance(self.body, Order) else ())
        senses = {"must", "cannot"} if self.sense is None else {self.sense}
        return frozenset(senses | ({"across"} if self.across else set()))

    def _said(self) -> str:
        words = (self.sense, "across" if self.across else None, str(self.body))
        return " ".join(word for word in words if word)

    def __str__(self) -> str:
        known = self._text()
        return known if self.name in ("", known) else f"{known}; name {written_name(self.name)}"

    def _text(self) -> str:
        """Write all but the name."""
        parts = [self._said()]
        for name in self.body.options:
            value, usual = getattr(self.body, name), type(self.body).__dataclass_fields__[name].default
            if value != usual:
                parts.append(name if value is True else f"{name} {written_number(value)}")
        parts += ["hard"] if self.hard else []
        plain = {"weight": 1.0, "limit": None, "sample": None, "seed": 0}
        parts += [
            f"{name} {written_number(getattr(self, name))}" for name in plain if getattr(self, name) != plain[name]
        ]
        parts += [] if self.repeats is None else ["repeats" if self.repeats else "independent"]
        parts += [f"where {each}" for each in self.where]
        return "; ".join(parts)


def _checked_sample(sample: float) -> float:
    number = check_above_zero("sample", sample, LARGEST_NUMBER)
    if number > 1 and not number.is_integer():
        raise ParameterError(f"sample must be a whole number of links, or a share below 1, was {number:g}")
    return number


def read_rules(given: object) -> tuple[Rule, ...]:
    """Read rules from texts; a single one counts as a list of one, and no two may have the same name.

    >>> [rule.sense for rule in read_rules(["must same Author.town", "cannot different Author.town"])]
    ['must', 'cannot']
    """
    values = (given,) if isinstance(given, str | Rule) else given
    if not isinstance(values, Sequence) or not all(isinstance(each, str | Rule) for each in values):
        raise ParameterError(f"constrain must be a rule or a list of rules, was {given!r}")
    rules = tuple(each if isinstance(each, Rule) else Rule.parse(each) for each in values)
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"there are two rules '{name}'; leave one out, or name them with ; name …")
    return rules
