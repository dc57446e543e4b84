"""What models cost: a dated table that comes with the program, and what users put beside it.

Prices are written in dollars per million tokens and counted in billionths of a dollar per token, so
that every sum is one of whole numbers; a cost is rounded up to the next micro-dollar.
"""

import importlib.resources
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Any, Self

from goldwright.errors import InputError
from goldwright.llm.port import Request, Usage

NANO_PER_MILLIONTH = 1000
REQUEST_OVERHEAD_TOKENS = 1024
TURN_OVERHEAD_TOKENS = 64
_DATED = re.compile(r"-20[0-9]{2}-?[0-9]{2}-?[0-9]{2}\Z")
_RATES = ("input", "cached", "cache_write", "output")


@dataclass(frozen=True, slots=True)
class TokenRates:
    """Prices of one token in billionths of a dollar."""

    input: int
    cached: int
    cache_write: int
    output: int

    def cost(self, usage: Usage) -> int:
        """Give the price of what was used, in billionths of a dollar."""
        return (
            usage.fresh * self.input
            + usage.cached * self.cached
            + usage.cache_written * self.cache_write
            + usage.output * self.output
        )


@dataclass(frozen=True, slots=True)
class ModelPricing:
    """What one model costs; ``long`` holds the rates of prompts of more than ``above`` tokens."""

    base: TokenRates
    above: int | None = None
    long: TokenRates | None = None

    @classmethod
    def free(cls) -> Self:
        """What a model costs that has no price."""
        return cls(TokenRates(0, 0, 0, 0))

    def cost(self, usage: Usage, bound: int) -> int:
        """Give the cost of a reply in micro-dollars, or the bound where the provider did not count."""
        if not usage.counted:
            return bound
        return _micro(self._rates(usage.input_tokens).cost(usage))

    def bound(self, request: Request) -> int:
        """Give the most that a request can cost in micro-dollars.

        No tokenizer makes more tokens than there are bytes; what the provider has counted already
        is taken as counted. All input may be written to a cache, and all output may be used.
        """
        tokens = most_input_tokens(request)
        rates = (
            [self.base] if self._rates(tokens) is self.base else [self.base, self._rates(tokens)]
        )
        per_input = max(
            price for one in rates for price in (one.input, one.cached, one.cache_write)
        )
        return _micro(
            tokens * per_input + request.max_output_tokens * max(one.output for one in rates)
        )

    def _rates(self, input_tokens: int) -> TokenRates:
        if self.long is not None and self.above is not None and input_tokens > self.above:
            return self.long
        return self.base


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Tariffs by ``provider:model``; a name that ends in ``*`` stands for all models that begin so."""

    date: str
    tariffs: Mapping[str, ModelPricing]

    @classmethod
    def shipped(cls) -> Self:
        """Read the table that comes with the program."""
        text = (
            importlib.resources.files("goldwright.llm").joinpath("prices.toml").read_text("utf-8")
        )
        table = tomllib.loads(text, parse_float=Decimal)
        return cls(
            table["date"],
            {name: read_model_pricing(name, row) for name, row in table["models"].items()},
        )

    def extended(self, rows: Mapping[str, Mapping[str, Any]]) -> "PriceTable":
        """Give the table with a user's rows in it, which go before those of the same name.

        Raises:
            InputError: A row is none.
        """
        own = {name: read_model_pricing(name, row) for name, row in rows.items()}
        return PriceTable(self.date, {**self.tariffs, **own})

    def tariff(self, model: str) -> ModelPricing | None:
        """Find what ``provider:model`` costs.

        Its own row decides, else that of its name without a date, else the longest name with a
        ``*`` that fits.
        """
        for name in (model, _DATED.sub("", model)):
            if name in self.tariffs:
                return self.tariffs[name]
        fitting = [
            name for name in self.tariffs if name.endswith("*") and model.startswith(name[:-1])
        ]
        return self.tariffs[max(fitting, key=len)] if fitting else None


def read_model_pricing(name: str, row: Mapping[str, Any]) -> ModelPricing:
    """Read one row of a price table.

    Raises:
        InputError: It lacks a price, or holds something else.
    """
    if unknown := sorted(row.keys() - {*_RATES, "long"}):
        raise InputError(
            f'prices."{name}": {unknown[0]}: no such price; wanted {", ".join(_RATES)} or long'
        )
    long = row.get("long")
    if long is None:
        return ModelPricing(_rates(name, row))
    above = long.get("above") if isinstance(long, Mapping) else None
    if (
        not isinstance(long, Mapping)
        or isinstance(above, bool)
        or not isinstance(above, int)
        or above < 1
    ):
        raise InputError(
            f'prices."{name}".long: wanted above, a number of tokens, and the prices beyond it'
        )
    return ModelPricing(_rates(name, row), above, _rates(f"{name}.long", long))


def most_input_tokens(request: Request) -> int:
    """Give a number of tokens that the input of a request cannot exceed."""
    seen, counted = 0, len(request.head) + REQUEST_OVERHEAD_TOKENS
    if request.measured is not None:
        seen, counted = request.measured.turns, request.measured.input_tokens
    rest = request.turns[seen:]
    return counted + sum(len(turn.written) + TURN_OVERHEAD_TOKENS for turn in rest)


def _rates(name: str, row: Mapping[str, Any]) -> TokenRates:
    price = {key: _nano(name, key, row[key]) for key in _RATES if key in row}
    if "input" not in price or "output" not in price:
        raise InputError(
            f'prices."{name}": wanted at least input and output, in dollars per million tokens'
        )
    return TokenRates(
        price["input"],
        price.get("cached", price["input"]),
        price.get("cache_write", price["input"]),
        price["output"],
    )


def _nano(name: str, key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InputError(
            f'prices."{name}".{key}: wanted dollars per million tokens, found {value!r}'
        )
    exact = Decimal(str(value)) * NANO_PER_MILLIONTH
    if not exact.is_finite() or exact < 0:
        raise InputError(f'prices."{name}".{key}: wanted a price of at least 0, found {value}')
    # A price finer than this counts as the next one above.
    return int(exact.to_integral_value(rounding=ROUND_CEILING))


def _micro(nano: int) -> int:
    return -(-nano // NANO_PER_MILLIONTH)
