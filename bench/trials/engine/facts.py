"""Facts of what was chosen, worked out again from the fixture: money, dates, availability, history, arithmetic."""

import datetime
import json
import zoneinfo
from decimal import ROUND_HALF_EVEN, Decimal

import worlds

NO_MINOR = {"JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX", "RWF", "KMF", "GNF", "DJF", "BIF", "XPF", "VUV"}
ENDS = ("dropped", "merged", "lost", "unused", "not_selected", "chosen", "refilled")
THREE = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}


def exponent(currency):
    """Digits after the point of a currency's main unit."""
    return 0 if currency in NO_MINOR else 3 if currency in THREE else 2


def converted(cents, currency, target, rates):
    """An amount in another currency's minor units, half-even; None where a rate is not listed."""
    if currency == target:
        return cents
    listed = rates["per_base"]
    if currency not in listed or target not in listed:
        return None
    main = Decimal(cents).scaleb(-exponent(currency)) / Decimal(str(listed[currency])) * Decimal(str(listed[target]))
    return int(main.scaleb(exponent(target)).quantize(Decimal(1), ROUND_HALF_EVEN))


def try_world(trial, world, folder, model):
    """Checks every choice of one world against the fixture, and that every candidate ends in one place."""
    rates = json.load(open(world.rates), parse_float=Decimal, parse_int=Decimal)
    offers = {candidate["id"]: candidate for candidate in world.fixture["candidates"]}
    history = world.fixture["vault"].get("history", [])
    for readings in world.kinds_of_readings():
        trace = f"{folder}/{world.name}.trace"
        answer = trial.call(
            world.words(world.path, readings, ["--trace", trace]), environment={"KNOT_MODEL": None if model else "none"}
        )
        trial.judge("first runs", answer, {0, 10, 11})
        if answer.code not in (0, 11):
            continue
        document = json.loads(answer.out)
        try_ends(trial, answer, worlds.events(trace), offers)
        for choice in document["choices"]:
            trial.count("facts of a choice")
            for law, holds in facts(choice, document, offers, history, world.fixture, rates):
                trial.expect("facts", answer, holds, f"{choice['candidate_id']}: {law}")
        merchants = [choice["merchant"] for choice in document["choices"] if choice["merchant"]]
        trial.expect("facts", answer, len(set(merchants)) == len(merchants), "one merchant twice")


def facts(choice, document, offers, history, fixture, rates):
    """Laws of one choice, each with whether it holds."""
    offer = offers.get(choice["candidate_id"])
    yield "it is an offer of the fixture", offer is not None
    if offer is None:
        return
    yield "it can be had", offer["check"] not in ("sold_out", "closed", "gone")
    total = abs(sum(choice["contributions"].values()) - choice["score"])
    yield "contributions add up to the score", total < 1e-9
    yield "it was not given before", not any(
        past.get("url") == offer["url"] or past["title"].casefold() == offer["title"].casefold() for past in history
    )
    price = offer["checked_price_cents"] if offer["check"] == "price_changed" else offer["price_cents"]
    yield "the price is the one that was found", choice["price_cents"] == price
    if price is not None:
        budget = document["budget"]
        yield "the total is for the party", choice["total_cents"] == price * choice["party"]
        amount = converted(choice["total_cents"], choice["currency"], budget["currency"], rates)
        yield "the total in the budget's currency is right", choice["budget_cents"] == amount
        relaxed = any(reason["code"] == "relaxed_rule" for reason in document["reasons"])
        inside = amount is None or budget["min_cents"] <= amount <= budget["max_cents"]
        yield "it is inside the budget", inside or relaxed
    now = datetime.datetime.fromisoformat(document["as_of"].replace("Z", "+00:00"))
    today = now.astimezone(zoneinfo.ZoneInfo(fixture["vault"]["timezone"])).date()
    if document["occurrence"]:
        day = datetime.date.fromisoformat(document["occurrence"])
        yield "the occasion is not over", day >= today
        if offer["ships_in_days"] is not None and offer["type"] == "gift":
            yield "it arrives in time", today + datetime.timedelta(days=offer["ships_in_days"]) <= day
    if offer["starts_at"]:
        starts = datetime.datetime.fromisoformat(offer["starts_at"].replace("Z", "+00:00"))
        yield "it has not begun", starts > now
        if document["occurrence"]:
            # Any place's own day is within a day of the day in UTC.
            yield "it begins by the day", starts.date() - datetime.timedelta(days=1) <= day


def try_ends(trial, answer, lines, offers):
    """Every candidate that was retrieved ends in exactly one way."""
    trial.count("accounts of a run")
    retrieved = [line["item"] for line in lines if line["event"] == "retrieved"]
    ends = {}
    for line in lines:
        if line["event"] in ENDS:
            ends.setdefault(line["item"], []).append(line["event"])
    lost = [item for item in set(retrieved) if item in offers and item not in ends]
    doubled = [item for item, how in ends.items() if len(how) > 1]
    trial.expect("accounts", answer, not lost, f"candidates without an end: {lost[:5]}")
    trial.expect("accounts", answer, not doubled, f"candidates with several ends: {doubled[:5]}")
