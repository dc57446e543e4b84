"""More of the shop: its till, its customers and their goods."""

from collections.abc import Mapping
from typing import Final

# Errors with conditions, settings and their readers, messages in the log, reasons in comments.
SHOP_ROOMS: Final[Mapping[str, str]] = {
    "shop/customers.py": '''"""Customers, and what the shop knows of them."""

import logging
import warnings

from shop.errors import ShopError

logger = logging.getLogger(__name__)


class CustomerError(ShopError):
    """Raised when a customer cannot be served."""


def register_customer(customers, name, mail, settings):
    """Write down a new customer, and greet those who came before."""
    address = mail.strip().lower()
    if "@" not in address:
        raise CustomerError("an electronic address holds a sign in its middle")
    if address in customers:
        logger.info("the customer %s is written down already", address)
        return customers[address]
    most = settings.get("customer_limit", 5000)
    if len(customers) >= most:
        raise CustomerError("the book of customers has no page left")
    customers[address] = {"name": name, "points": 0}
    return customers[address]


def grant_points(customer, cents, settings):
    """Give points for an order, twice as many on birthdays."""
    rate = settings.get("cents_for_point", 500)
    if rate <= 0:
        raise CustomerError("points cannot be given at a rate of nothing")
    points = cents // rate
    if customer.get("birthday"):
        points = points * 2
    if points == 0:
        logger.info("an order was too small for a single point")
        return 0
    customer["points"] += points
    return points


def spend_points(customer, points):
    """Turn points into a reduction of the price."""
    if points > customer["points"]:
        raise CustomerError("the customer has collected fewer points than that")
    if points < 10:
        logger.warning("fewer than ten points were to be spent")
        return 0
    customer["points"] -= points
    # round down to whole tens, since the till cannot print anything else
    return points // 10 * 10


def send_newsletter(customers, post, text):
    """Send a letter to every customer and count those who could not be reached."""
    if not text:
        raise CustomerError("a letter to all customers cannot be empty")
    failures = 0
    for address in customers:
        try:
            post.deliver(address, text)
        except OSError:
            logger.warning("the newsletter did not reach %s", address)
            failures += 1
    return failures


def find_customer(customers, key, by=None):
    """Look a customer up by address, or by name as it was done before."""
    if by is None:
        warnings.warn(
            "looking customers up without saying how is deprecated, pass by='mail' instead",
            DeprecationWarning,
            stacklevel=2,
        )
        by = "mail"
    if by == "mail":
        return customers.get(key)
    if by != "name":
        raise CustomerError("customers are looked up by mail or by name alone")
    for customer in customers.values():
        if customer["name"] == key:
            return customer
    return None
''',
    "shop/deliveries.py": '''"""How orders reach customers."""

import logging

from shop.errors import ShopError
from shop.settings import smallest_order

logger = logging.getLogger(__name__)


class DeliveryError(ShopError):
    """Raised when an order cannot be brought to its customer."""


def check_address(address):
    """Make sure that a letter carrier would find the house."""
    street = address.get("street", "")
    if not street:
        raise DeliveryError("an address needs the name of a street")
    town = address.get("town")
    if not town:
        raise DeliveryError("an address needs the name of a town")
    code = address.get("postcode", "")
    if len(code) != 5:
        logger.warning("a postcode of %s characters was given", len(code))
        raise DeliveryError("the postcode of an address has five digits")
    return f"{street}, {code} {town}"


def price_of_delivery(grams, distance):
    """Work out what the customer pays for the way."""
    if grams > 30000:
        raise DeliveryError("an order of more than thirty kilograms is fetched by the customer")
    cents = 300 + 2 * distance
    if distance > 200:
        logger.info("an order goes further than two hundred kilometres")
        cents = cents * 2
    if grams > 10000:
        return cents + 500
    return cents


def weigh_basket(basket, weights):
    """Add up the weight of all items of a basket."""
    grams = 0
    for name, wanted, _ in basket:
        weight = weights.get(name)
        if weight is None:
            raise DeliveryError("nobody has put this item on the scales yet")
        grams += wanted * weight
    if grams == 0:
        raise DeliveryError("a basket that weighs nothing is not sent")
    return grams


def plan_delivery(basket, address, weights, total, settings):
    """Check an address, weigh the basket, and price the way to the customer."""
    least = smallest_order(settings)
    if total < least:
        raise DeliveryError("the order is smaller than what is brought to a house")
    label = check_address(address)
    grams = weigh_basket(basket, weights)
    cents = price_of_delivery(grams, address.get("distance", 10))
    return label, cents


def track_delivery(carriers, number):
    """Ask the carriers one after the other where a parcel is."""
    for carrier in carriers:
        try:
            place = carrier.find(number)
        except ConnectionError:
            logger.warning("a carrier did not say where parcel %s is", number)
            continue
        if place:
            return place
    raise DeliveryError("no carrier knows the parcel with this number")
''',
    "shop/invoices.py": '''"""Invoices for large orders."""

import logging

from shop.customers import grant_points, register_customer
from shop.errors import ShopError

logger = logging.getLogger(__name__)


class InvoiceError(ShopError):
    """Raised when an invoice cannot be written or paid."""


def write_invoice(customers, order, settings):
    """Write an invoice, and give the customer points for it."""
    if not order.lines:
        raise InvoiceError("an invoice without a line is not written")
    customer = register_customer(customers, order.name, order.mail, settings)
    points = grant_points(customer, order.total, settings)
    days = settings.get("payment_days", 14)
    if days > 60:
        logger.warning("customers get %s days to pay an invoice", days)
    return {"total": order.total, "days": days, "points": points}


def remind(invoice, today, letters):
    """Remind a customer of an invoice, sternly from the third letter on."""
    late = (today - invoice.due).days
    if late <= 0:
        raise InvoiceError("nobody is reminded before an invoice is due")
    count = letters.get(invoice.number, 0)
    if count >= 3:
        logger.warning("invoice %s goes to the lawyer of the shop", invoice.number)
        return "lawyer"
    letters[invoice.number] = count + 1
    if count == 2:
        return "stern"
    return "friendly"


def read_payment(line):
    """Read a line of the bank: which invoice was paid, and how much."""
    fields = line.split(";")
    if len(fields) != 3:
        raise InvoiceError("a line of the bank has three fields")
    number, cents, note = fields
    try:
        amount = int(cents)
    except ValueError:
        logger.warning("the bank has written an amount that is no number")
        return None
    if amount < 0:
        logger.info("the bank has taken money back for invoice %s", number)
        return number, amount, "returned"
    return number, amount, note.strip()
''',
    "shop/returns.py": '''"""Goods that come back."""

import logging

from shop.errors import ShopError

logger = logging.getLogger(__name__)

# what customers have brought back today, by number of receipt
_returned_today = {}


class ReturnError(ShopError):
    """Raised for goods that are not taken back."""


def take_return(receipt, item, days):
    """Take an item back and give its price."""
    if days > 30:
        raise ReturnError("goods are taken back for a month and no longer")
    if item not in receipt.items:
        raise ReturnError("the item does not stand on the receipt that was shown")
    key = (receipt.number, item)
    if key in _returned_today:
        logger.warning("the same item was brought back a second time")
        raise ReturnError("this item has been brought back before")
    price = receipt.items[item]
    _returned_today[key] = price
    return price


def forget_returns():
    """Begin a new day and give what was paid out."""
    total = sum(_returned_today.values())
    if total == 0:
        logger.info("nobody has brought anything back today")
        return 0
    _returned_today.clear()
    return total


def repair_or_replace(item, age, workshop):
    """Decide what becomes of an item that is broken."""
    if age > 24:
        raise ReturnError("the two years in which a shop answers for goods are over")
    if item.price < 2000:
        return "replace"
    try:
        weeks = workshop.estimate(item)
    except LookupError:
        logger.warning("the workshop does not know how to repair %s", item)
        return "replace"
    if weeks > 6:
        return "replace"
    return "repair"
''',
    "shop/settings.py": '''"""Settings of the shop, as its owner writes them down."""

import json
import logging

logger = logging.getLogger(__name__)


def load_settings(path):
    """Read the settings of the shop, and open with none where the file is broken."""
    try:
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
    except ValueError:
        logger.warning("the settings in %s cannot be read", path)
        return {}
    if not isinstance(settings, dict):
        raise TypeError("settings of a shop have to be names with values")
    if "currency" not in settings:
        logger.info("prices are taken to be in euros")
        settings["currency"] = "EUR"
    return settings


def smallest_order(settings):
    """Give the sum below which nothing is sent."""
    cents = settings.get("smallest_order", 1000)
    if cents < 0:
        raise ValueError("the smallest order cannot be below nothing")
    if cents > 10000:
        logger.warning("a smallest order of %s cents keeps customers away", cents)
        return 10000
    return cents


def opening_time(settings, weekday):
    """Give the hour at which the shop opens on a day of the week."""
    if weekday == 6:
        return None
    hour = settings.get("opening_hour", 9)
    if weekday == 5:
        hour = settings.get("saturday_opening", 10)
    if not 0 <= hour < 24:
        raise ValueError("a shop cannot open at an hour that no clock shows")
    return hour
''',
    "shop/till.py": '''"""The till: payments, receipts and the count in the evening."""

import logging

from shop.deliveries import plan_delivery
from shop.errors import ShopError
from shop.orders import place_order
from shop.vouchers import redeem_voucher

logger = logging.getLogger(__name__)


class PaymentError(ShopError):
    """Raised when an order is not paid as it should be."""


def pay_in_cash(drawer, total, given):
    """Take money and give change."""
    if given < total:
        raise PaymentError("the customer has not given enough money")
    change = given - total
    if change > drawer.cents:
        logger.warning("the drawer does not hold %s cents of change", change)
        raise PaymentError("there is not enough change in the drawer")
    drawer.cents += total
    return change


def pay_by_card(terminal, total):
    """Let the terminal take the money, and ask it only once."""
    if total <= 0:
        raise PaymentError("a card is charged with a sum above nothing")
    try:
        answer = terminal.charge(total)
    except TimeoutError:
        logger.warning("the terminal gave no answer in time")
        return None
    if answer.refused:
        raise PaymentError("the bank of the customer has refused the card")
    return answer.receipt


def choose_language(headers):
    """Choose the language of a receipt by what the browser of a customer asks for."""
    wanted = headers.get("Accept-Language", "en")
    language = wanted[:2].lower()
    if language not in ("de", "en", "pl"):
        logger.info("no receipt can be written in %s", language)
        return "en"
    return language


def write_receipt(order, headers):
    """Write the receipt of an order."""
    language = choose_language(headers)
    if order.total is None:
        raise PaymentError("a receipt is written after the order is paid")
    number = headers.get("X-Receipt-Number", "0")
    if not number.isdigit():
        raise ValueError("the number of a receipt has digits and nothing else")
    return f"{language}-{int(number):06d}: {order.total}"


def count_drawer(drawer, sales):
    """Compare the drawer with the sales of the day."""
    wanted = drawer.opened_with + sum(sales)
    difference = drawer.cents - wanted
    if difference > 500:
        logger.warning("the drawer holds more money than was sold for")
        return "over"
    # forgive small sums, because coins fall under the counter every day
    if abs(difference) <= 20:
        return "right"
    if difference < -500:
        raise PaymentError("more than five euros are missing from the drawer")
    return "off"


def sell(basket, shelves, used, code, headers):
    """Place an order in the shop and take a voucher off its price."""
    total = place_order(basket, shelves)
    if code:
        total = redeem_voucher(used, code, total)
    if total > 100000:
        raise PaymentError("orders of this size are paid by invoice alone")
    logger.info("an order was sold in the shop for %s cents", total)
    return total, choose_language(headers)


def sell_and_send(basket, shelves, address, weights, settings):
    """Place an order and plan its way to the customer."""
    total = place_order(basket, shelves)
    label, cents = plan_delivery(basket, address, weights, total, settings)
    if cents > total:
        logger.warning("the way of an order costs more than what is in it")
    return label, total + cents
''',
    "shop/vouchers.py": '''"""Vouchers, and what they are worth."""

import logging

from shop.errors import ShopError

logger = logging.getLogger(__name__)


class VoucherError(ShopError):
    """Raised for a voucher that the till does not take."""


def read_voucher(code):
    """Take a voucher apart: what it is worth, and its check digit."""
    text = code.strip().upper()
    if len(text) != 8:
        raise VoucherError("a voucher has eight letters and digits")
    value, mark = text[:6], text[6:]
    if not value.isdigit():
        logger.warning("somebody tried a voucher with letters in its value")
        raise VoucherError("the value of a voucher is written in digits")
    if mark != f"{int(value) % 97:02d}":
        raise VoucherError("the check digits of the voucher do not fit its value")
    return int(value)


def redeem_voucher(used, code, total):
    """Take a voucher off the price of an order, and remember that it is used."""
    worth = read_voucher(code)
    if code in used:
        raise VoucherError("the voucher was redeemed for another order")
    if worth > total:
        # keep the rest, because a voucher is paid for and must not be lost
        used[code] = worth - total
        return 0
    used[code] = 0
    return total - worth


def rest_of_voucher(used, code):
    """Give what is left on a voucher after an order."""
    rest = used.get(code)
    if rest is None:
        raise VoucherError("nobody has paid with this voucher so far")
    if rest == 0:
        logger.info("a voucher without any rest was asked for")
        return 0
    return rest
''',
}
