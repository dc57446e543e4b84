"""Questions about small codebases, with the answers of the offline Oracle."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from goldwright.agents.roles import AdversaryWork, JudgeWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents import OfflineAdversary, OfflineJudge
from goldwright.offline_agents.answers.answer_writing import WrittenAnswer, write_answer
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Inquiry, Question
from goldwright.offline_agents.oracle import draft_answer
from goldwright.offline_agents.questions.question_supply import fits_tier
from goldwright.records import AnswerDraft, NarrativeVerdictDraft, QueryCandidate, ReportDraft
from goldwright.snapshot import Snapshot, open_snapshot
from journeys.sample_code import LENDING, SHOP
from units.offline_agents.harbour_code import HARBOUR
from units.offline_agents.mint_code import MINT
from units.offline_agents.observatory_code import OBSERVATORY
from units.offline_agents.telephone_code import TELEPHONE
from units.offline_agents.theatre_code import THEATRE
from units.offline_agents.workshop_code import WORKSHOP

_CACHED = '''"""Prices, which are asked for again and again."""

import functools
import logging

from till.errors import PriceError

logger = logging.getLogger(__name__)
_RATES = {}


@functools.lru_cache(maxsize=64)
def price_of(article, currency="EUR"):
    """Look a price up in the list."""
    rate = rate_of(currency)
    if not article:
        raise PriceError("an article must have a name to have a price")
    if rate <= 0:
        logger.warning("the rate of the currency cannot be used")
        return 0
    if currency != "EUR":
        logger.info("a price in a foreign currency has been asked for")
    return len(article) * rate


def rate_of(currency):
    """Give the rate of a currency, which is read once."""
    if not currency:
        raise PriceError("a currency must have a name to have a rate")
    if currency not in _RATES:
        logger.info("the rate of another currency is read for the first time")
        _RATES[currency] = read_rate(currency)
    return _RATES[currency]


def read_rate(currency):
    """Read a rate from the file of the bank."""
    with open("rates.txt", encoding="utf-8") as file:
        for line in file:
            name, _, rate = line.partition("=")
            if name == currency:
                return float(rate)
    return 0.0


@functools.lru_cache(maxsize=8)
def tax_of(country, is_book=False):
    """Work out the share that the state takes."""
    if not country:
        raise PriceError("a tax needs the country that it is paid in")
    if is_book:
        return 7
    return 19


def charge(articles, currency):
    """Add up what articles cost."""
    if not articles:
        return 0
    share = tax_of("Germany")
    return share * sum(price_of(article, currency) for article in articles)


def reload_rates():
    """Forget what was read."""
    _RATES.clear()
    price_of.cache_clear()
'''
_ERRORS = '''"""What can go wrong at the till."""


class PriceError(Exception):
    """Raised where there is no price."""
'''


_CARRIERS = '''"""Whoever brings a parcel to its reader."""


class ParcelCarrier:
    """Brings parcels of a library to readers."""

    vehicle = None

    async def deliver(self, parcel) -> bool:
        """Bring a parcel to its reader, and say whether it got there."""
        raise NotImplementedError("a carrier must deliver")

    def insure(self, parcel, value):
        """Called before a parcel leaves the house."""

    def price(self, parcel):
        """Say what a parcel costs."""
        return parcel.weight


class BikeCarrier(ParcelCarrier):
    """Carries small parcels through the town."""

    vehicle = "bike"

    async def deliver(self, parcel) -> bool:
        return parcel.weight < 5

    def insure(self, parcel, value):
        return None


class TruckCarrier(ParcelCarrier):
    """Carries what is too heavy for everybody else."""

    vehicle = "truck"

    async def deliver(self, parcel) -> bool:
        return parcel.is_packed

    def insure(self, parcel, value):
        parcel.insured = value

    def price(self, parcel):
        return 2 * parcel.weight


async def send_out(carrier, parcels):
    """Have all parcels brought."""
    for parcel in parcels:
        parcel.is_there = await carrier.deliver(parcel)
'''
_LABELS = '''"""What a parcel has on it."""


class ParcelLabel:
    """Says what a parcel holds."""

    def title(self, parcel):
        """Give the line in big letters."""
        return parcel.name

    def warning(self, parcel):
        """Give the line in red."""
        return ""


class ExpressLabel(ParcelLabel):
    """A label that asks for haste."""

    def title(self, parcel):
        return f"EXPRESS {parcel.name}"


class FragileLabel(ParcelLabel):
    """A label that asks for care."""

    def title(self, parcel):
        return f"{parcel.name} (glass)"

    def warning(self, parcel):
        return "Handle with care"
'''


def _rooms(*names: str) -> Mapping[str, str]:
    return {name: LENDING[name] for name in LENDING if name.startswith(names)}


def _shop_rooms(*names: str) -> Mapping[str, str]:
    return {name: SHOP[name] for name in SHOP if name.startswith(names)}


_CACHES = '''"""What a map shop keeps at hand."""

import functools
import threading

from maps.errors import MapError

_lock = threading.Lock()
_SHEETS = {}


@functools.lru_cache(maxsize=None)
def scale_of(region, zoom=3):
    """Look up the scale that a map of a region is drawn in."""
    if zoom > 20:
        raise MapError("no map is drawn as large as that")
    if not region:
        return None
    return len(region) * zoom


@functools.cache
def legend_of(region):
    """Collect the signs that a map of a region needs to explain."""
    signs = sheet_of(region)
    if signs is None:
        raise MapError("a map without a sheet has no legend to show")
    return signs


def sheet_of(region):
    """Give the sheet of a region, which is drawn once."""
    with _lock:
        if region in _SHEETS:
            return _SHEETS[region]
        sheet = draw(region)
        _SHEETS[region] = sheet
    return sheet


def draw(region):
    """Draw the sheet of a region from the notes of the surveyors."""
    if not region:
        raise MapError("the region of a new sheet must have a name")
    return region.upper()


def forget_sheets():
    """Throw all sheets away, because the surveyors were there."""
    with _lock:
        _SHEETS.clear()
    legend_of.cache_clear()


def forget_sheet(region):
    """Throw away the sheet of a region that was surveyed again."""
    _SHEETS.pop(region, None)


class Atlas:
    """Binds the maps of many regions into a book."""

    def __init__(self, regions):
        self.regions = regions
        self._pages = {}
        self._margins = {}

    def margin_of(self, region):
        """Give the width of the margin beside a map, which is measured once."""
        if region not in self._margins:
            self._margins[region] = len(region)
        return self._margins[region]

    def page_of(self, region):
        """Give the page of a region, bound when it is asked for."""
        if region not in self._pages:
            self._pages[region] = self.bind(region)
        return self._pages[region]

    def bind(self, region):
        """Bind one page with its legend and scale."""
        if region not in self.regions:
            raise MapError("the atlas has no page for that region")
        return (legend_of(region), scale_of(region))

    def reprint(self):
        """Forget the bound pages before the next edition."""
        self._pages = {}

    @functools.cached_property
    def title(self):
        """Make the title from the names of all regions."""
        return " and ".join(sorted(self.regions))
'''
_MAP_ERRORS = '''"""What can go wrong with maps."""


class MapError(Exception):
    """Raised where a map cannot be had."""
'''

_PRINTING = '''"""Posters and leaflets, and the press that prints them."""

import shutil
import subprocess


class PressError(Exception):
    """Raised where nothing can be printed."""


class Press:
    """The press in the cellar, and the folder of what waits for it."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.sheets = 0

    def pull(self, poster, copies=1):
        """Set the plates and pull as many sheets as were ordered."""
        if copies < 1:
            raise PressError("the press was asked for less than one sheet")
        command = [self.program, "--copies", str(copies), poster]
        outcome = subprocess.run(command, timeout=60)
        if outcome.returncode != 0:
            raise PressError("the press stopped before the last sheet")
        self.sheets += copies
        return outcome.returncode

    def clear(self):
        """Throw everything away that still waits."""
        if self.sheets:
            shutil.rmtree(self.folder)
        self.sheets = 0
        return self.folder
'''
_POSTERS = '''"""What hangs in the windows."""


def announce(press, evening):
    """Hang a poster for an evening into each of the windows."""
    code = press.pull(evening.poster, copies=evening.windows)
    evening.announced = code == 0
    return evening.announced


def end_season(press, evenings):
    """Take the posters of the season down."""
    for evening in evenings:
        evening.announced = False
    return press.clear()
'''
_CALENDAR = '''"""The evenings of a season."""

from printing.posters import announce


def open_season(press, evenings):
    """Make the evenings of a season known, and give those that could not be."""
    silent = [evening for evening in evenings if not announce(press, evening)]
    return silent
'''


SAMPLES: Mapping[str, Mapping[str, str]] = {
    "acquisitions": _rooms("lending/acquisitions.py", "lending/errors.py"),
    "covers": _rooms("lending/covers.py", "lending/errors.py"),
    "formats": _rooms(
        "lending/formats.py", "lending/exports.py", "lending/lists.py", "lending/errors.py"
    ),
    "harbour": HARBOUR,
    "interlibrary": _rooms("lending/interlibrary.py", "lending/loans.py", "lending/errors.py"),
    "labels": _rooms("lending/labels/", "lending/errors.py"),
    "maps": {"maps/sheets.py": _CACHES, "maps/errors.py": _MAP_ERRORS},
    "members": _rooms("lending/members.py", "lending/notices.py", "lending/errors.py"),
    "mint": MINT,
    "observatory": OBSERVATORY,
    "orders": _shop_rooms("shop/stock.py", "shop/orders.py", "shop/prices.py", "shop/errors.py"),
    "shelving": _rooms("lending/shelving/", "lending/errors.py"),
    "parcels": {"parcels/carriers.py": _CARRIERS, "parcels/labels.py": _LABELS},
    "printing": {
        "printing/press.py": _PRINTING,
        "printing/posters.py": _POSTERS,
        "printing/calendar.py": _CALENDAR,
    },
    "telephone": TELEPHONE,
    "theatre": THEATRE,
    "till": {"till/prices.py": _CACHED, "till/errors.py": _ERRORS},
    "workshop": WORKSHOP,
}
"""Few files each, by the name of their subject."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with what the offline Oracle makes of it.

    Attributes:
        question: The question.
        written: The answer in sentences.
        answer: The same as a record.
    """

    question: Question
    written: WrittenAnswer
    answer: AnswerDraft

    @property
    def candidate(self) -> QueryCandidate:
        """The question as a candidate; its words are those of its reason."""
        return QueryCandidate.model_validate(
            {
                "query_id": "q1",
                "query_text": "What is it about?",
                "task_type": self.question.cell.task_type,
                "difficulty": self.question.cell.difficulty,
                "target_entity_ids": self.question.targets,
                "intent": self.question.intent,
                "authored_by": "test",
                "created_at": "2026-01-01T00:00:00Z",
            }
        )


@dataclass
class Sample:
    """A small codebase with its questions, each of which is answered once."""

    snapshot: Snapshot
    _answers: dict[str, tuple[AnsweredQuestion, ...]] = field(default_factory=dict)

    @cached_property
    def code(self) -> CodeContext:
        """What Author and Oracle know of it."""
        return CodeContext(self.snapshot)

    def answered(self, *kinds: str) -> Iterator[AnsweredQuestion]:
        """Yield the questions of some kinds that can be answered; of all for none."""
        for inquiry in INQUIRIES:
            if not kinds or inquiry.kind in kinds:
                if inquiry.kind not in self._answers:
                    self._answers[inquiry.kind] = tuple(self._answered(inquiry))
                yield from self._answers[inquiry.kind]

    def _answered(self, inquiry: Inquiry) -> Iterator[AnsweredQuestion]:
        seen: set[object] = set()
        for path in self.snapshot.source_files:
            module = self.code.module(path)
            for lead in inquiry.leads(module) if module else ():
                for question in inquiry.questions(lead, self.code):
                    key = (question.intent.lines, question.intent.detail, question.targets)
                    # What fits no tier is never asked.
                    if key in seen or not fits_tier(question, self.snapshot):
                        continue
                    seen.add(key)
                    plan = inquiry.answer(question.intent, question.targets, self.code)
                    written = write_answer(plan, self.code) if plan is not None else None
                    if plan is not None and written is not None:
                        toolset = Toolset(self.snapshot)
                        answer = draft_answer(
                            plan.parts, written, self.snapshot, toolset, is_whole=True
                        )
                        yield AnsweredQuestion(question, written, answer)

    def attack(self, candidate: QueryCandidate, answer: AnswerDraft) -> ReportDraft:
        """Give what the offline Adversary says of an answer."""
        adversary = OfflineAdversary(self.snapshot)
        return asyncio.run(adversary.play(AdversaryWork(candidate, answer), Toolset(self.snapshot)))


def judge(narrative: str, findings: str, query: str = "What is it about?") -> NarrativeVerdictDraft:
    """Give what the offline Judge says of a narrative."""
    work = JudgeWork(query_id="q1", query_text=query, narrative=narrative, findings=findings)
    return asyncio.run(OfflineJudge().play(work))


def open_sample(root: Path, sources: Mapping[str, str]) -> Sample:
    """Write a codebase into a folder, and open it."""
    for path, text in sources.items():
        file = root / "code" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Sample(open_snapshot(root / "code", rev=None, cache=root / "cache", allow_dirty=True))
