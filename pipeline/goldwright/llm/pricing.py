"""What models cost: a dated table that is shipped with the program, and rows that users add.

Prices are written in dollars per million tokens and counted in billionths of a dollar per token, so
that every sum is one of whole numbers. A cost is rounded up to the next micro-dollar.
"""

import importlib.resources
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import ceil
from typing import Any, Self

from goldwright.errors import InputError
from goldwright.llm.port import ProviderFault, Request, Usage
from goldwright.llm.spend import FREE, CallCost

# A dollar per million tokens is a thousand billionths per token, and a micro-dollar is as many.
NANO_PER_MICRO = 1000
# What providers add around a request and around each turn: role names, separators, tool framing.
REQUEST_OVERHEAD_TOKENS = 1024
TURN_OVERHEAD_TOKENS = 64
# Dated names have the price of the alias unless they have a row of their own.
_DATE_AT_THE_END = re.compile(r"-20[0-9]{2}-?[0-9]{2}-?[0-9]{2}\Z")
_RATES = ("input", "cached", "cache_write", "output")


@dataclass(frozen=True, slots=True)
class TokenRates:
    """Prices of one token in billionths of a dollar.

    Attributes:
        input: Input that no cache holds.
        cached: Input that is read from a cache.
        cache_write: Input that is written to a cache.
        output: All output.
    """

    input: int
    cached: int
    cache_write: int
    output: int

    def cost(self, usage: Usage) -> int:
        """Give the price of some usage, in billionths of a dollar."""
        uncached = usage.fresh * self.input
        cached = usage.cached * self.cached
        cache_written = usage.cache_written * self.cache_write
        output = usage.output * self.output
        return uncached + cached + cache_written + output

    def scaled(self, share: Fraction) -> "TokenRates":
        """Give a share of each price, rounded up."""
        rates = (self.input, self.cached, self.cache_write, self.output)
        return TokenRates(*(ceil(rate * share) for rate in rates))

    @property
    def highest_input(self) -> int:
        """The price of an input token in the worst case."""
        return max(self.input, self.cached, self.cache_write)


@dataclass(frozen=True, slots=True)
class ModelPricing:
    """What one model costs.

    Attributes:
        base: The rates of ordinary prompts.
        above: Prompts of more tokens than this have other rates; ``None`` if there are none.
        long: The rates of those prompts.
    """

    base: TokenRates
    above: int | None = None
    long: TokenRates | None = None

    @classmethod
    def free(cls) -> Self:
        """The pricing of a model that has no price."""
        return cls(TokenRates(0, 0, 0, 0))

    def scaled(self, share: Fraction) -> "ModelPricing":
        """Give the pricing with a share of each rate, rounded up to a billionth of a dollar."""
        long = None if self.long is None else self.long.scaled(share)
        return ModelPricing(self.base.scaled(share), self.above, long)

    def presumed_cost(self, request: Request, expected: Usage) -> CallCost:
        """Give what a call costs whose bill is not known.

        Args:
            request: What is asked.
            expected: What such a request is expected to use.
        """
        most = self.bound(request)
        return CallCost(min(self.cost(expected), most), most)

    def cost_of_reply(self, usage: Usage, presumed: CallCost) -> CallCost:
        """Give what a reply costs: its bill, or what was presumed if the provider did not count."""
        if not usage.counted:
            return presumed
        bill = self.cost(usage)
        return CallCost(bill, bill)

    def cost_of_fault(self, fault: ProviderFault, presumed: CallCost, expected: Usage) -> CallCost:
        """Give what a call without a reply costs.

        What the provider had counted until then is known, and it may have gone on. Input that it
        had not counted yet is as much as was expected.
        """
        if not fault.may_be_billed:
            return FREE
        if fault.usage is None:
            return presumed
        usage = fault.usage
        if not usage.input_tokens:
            usage = replace(expected, output=usage.output)
        counted = min(self.cost(usage), presumed.most_micro_usd)
        return CallCost(counted, presumed.most_micro_usd)

    def cost(self, usage: Usage) -> int:
        """Give the cost of some usage in micro-dollars."""
        rates = self._rates_for(usage.input_tokens)
        return _round_up_to_micro(rates.cost(usage))

    def bound(self, request: Request) -> int:
        """Give the most that a request can cost, in micro-dollars.

        No tokenizer makes more tokens than there are bytes, and what the provider has counted
        already is taken as counted. All input may be written to a cache, and all output be used.
        """
        input_tokens = most_input_tokens(request)
        # A prompt that is long by its bytes may be short by its tokens, and short ones may cost
        # more: both rates count.
        possible_rates = {self.base, self._rates_for(input_tokens)}
        per_input = max(rates.highest_input for rates in possible_rates)
        per_output = max(rates.output for rates in possible_rates)
        most = input_tokens * per_input + request.max_output_tokens * per_output
        return _round_up_to_micro(most)

    def _rates_for(self, input_tokens: int) -> TokenRates:
        if self.long is None or self.above is None or input_tokens <= self.above:
            return self.base
        return self.long


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The pricing of many models.

    Attributes:
        date: When the shipped prices were read, as ``2026-11-21``.
        pricings: By ``provider:model``; a name that ends in ``*`` stands for all models whose name
            begins so.
    """

    date: str
    pricings: Mapping[str, ModelPricing]

    @classmethod
    def shipped(cls) -> Self:
        """Read the table that is shipped with the program."""
        file = importlib.resources.files("goldwright.llm").joinpath("prices.toml")
        table = tomllib.loads(file.read_text("utf-8"), parse_float=Decimal)
        pricings = _read_rows(table["models"])
        return cls(table["date"], pricings)

    def extended(self, rows: Mapping[str, Mapping[str, Any]]) -> "PriceTable":
        """Give the table with a user's rows, which replace those of the same name.

        Raises:
            InputError: A row is not one.
        """
        own_pricings = _read_rows(rows)
        return PriceTable(self.date, {**self.pricings, **own_pricings})

    def pricing_of(self, model: str) -> ModelPricing | None:
        """Find what ``provider:model`` costs.

        Its own row decides, else that of its name without a date, else the longest name with a
        ``*`` that fits.
        """
        for name in (model, _DATE_AT_THE_END.sub("", model)):
            if name in self.pricings:
                return self.pricings[name]
        fitting_names = [name for name in self.pricings if _is_pattern_for(name, model)]
        if not fitting_names:
            return None
        return self.pricings[max(fitting_names, key=len)]


def read_model_pricing(name: str, row: Mapping[str, Any]) -> ModelPricing:
    """Read one row of a price table.

    Raises:
        InputError: It lacks a price, or holds something else.
    """
    unknown_names = row.keys() - {*_RATES, "long"}
    if unknown_names:
        unknown = min(unknown_names)
        rates = ", ".join(_RATES)
        raise InputError(f'prices."{name}": {unknown}: no such price; wanted {rates} or long')
    long = row.get("long")
    if long is None:
        return ModelPricing(_read_rates(name, row))
    above = _read_above(name, long)
    base_rates = _read_rates(name, row)
    long_rates = _read_rates(f"{name}.long", long)
    return ModelPricing(base_rates, above, long_rates)


def most_input_tokens(request: Request) -> int:
    """Give a number of tokens that the input of a request cannot exceed."""
    if request.measured is None:
        total = len(request.head) + REQUEST_OVERHEAD_TOKENS
        new_turns = request.turns
    else:
        total = request.measured.input_tokens
        new_turns = request.turns[request.measured.turns :]
    for turn in new_turns:
        # The JSON is ASCII with everything else escaped, so it has no fewer characters than the
        # text has bytes.
        total += len(turn.as_json) + TURN_OVERHEAD_TOKENS
    return total


def _is_pattern_for(name: str, model: str) -> bool:
    beginning = name.removesuffix("*")
    return beginning != name and model.startswith(beginning)


def _read_rows(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, ModelPricing]:
    return {name: read_model_pricing(name, row) for name, row in rows.items()}


def _read_above(name: str, long: object) -> int:
    if isinstance(long, Mapping):
        above = long.get("above")
        # In Python, True is an int too.
        if isinstance(above, int) and not isinstance(above, bool) and above >= 1:
            return above
    raise InputError(
        f'prices."{name}".long: wanted above, a number of tokens, and the prices beyond it'
    )


def _read_rates(name: str, row: Mapping[str, Any]) -> TokenRates:
    prices: dict[str, int] = {}
    for rate in _RATES:
        if rate in row:
            prices[rate] = _read_price(name, rate, row[rate])
    if "input" not in prices or "output" not in prices:
        raise InputError(
            f'prices."{name}": wanted at least input and output, in dollars per million tokens'
        )
    prices.setdefault("cached", prices["input"])
    prices.setdefault("cache_write", prices["input"])
    return TokenRates(**prices)


def _read_price(name: str, key: str, value: object) -> int:
    """Read dollars per million tokens as billionths of a dollar per token."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InputError(
            f'prices."{name}".{key}: wanted dollars per million tokens, found {value!r}'
        )
    # By way of its text, a float such as 0.15 is taken as it was written.
    nano = Decimal(str(value)) * NANO_PER_MICRO
    if not nano.is_finite() or nano < 0:
        raise InputError(f'prices."{name}".{key}: wanted a price of at least 0, found {value}')
    return int(nano.to_integral_value(rounding=ROUND_CEILING))


def _round_up_to_micro(nano: int) -> int:
    return -(-nano // NANO_PER_MICRO)
