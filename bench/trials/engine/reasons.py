"""What cards say, held against the fixture: quotes, days, delivery, money, words; on vaults in other zones, currencies and at other times."""

import copy
import datetime
import json
import random
import re
import unicodedata
import zoneinfo

import worlds

MONTHS = "January February March April May June July August September October November December".split()
ZONES = ["Pacific/Kiritimati", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"]
CURRENCIES = ["JPY", "KWD", "EUR", "KRW", "INR", "CLP"]
MOMENTS = ["2028-02-28T23:30:00Z", "2028-02-29T12:00:00Z", "2027-12-31T23:59:59Z", "2026-03-29T01:00:00Z"]
NAMES = ["Zoë", "O’Brien", "李", 'Ünal "X"', "محمد", "May", "x" * 80]
UNTIDY = re.compile(r"  |nil|null|Optional|“”|,,| ;|\.\.(?!\.)")


def try_world(trial, world, folder, seed, model, cases=6):
    """Reads every card of the world as it is and of changed copies of it."""
    generator = random.Random(f"reasons {seed} {world.name} {model}")
    for number in range(cases + 1):
        fixture = copy.deepcopy(world.fixture) if number == 0 else changed(world.fixture, generator)
        path = worlds.write(folder, "told.json", fixture)
        for readings in world.kinds_of_readings() if number == 0 else ["rules"]:
            answer = trial.call(world.words(path, readings), environment={"KNOT_MODEL": None if model else "none"})
            trial.judge("reasons: runs", answer, {0, 11, 65, 69})
            if answer.code not in (0, 11):
                continue
            document = json.loads(answer.out)
            for choice in document["choices"]:
                trial.count("reasons of a card")
                for law, holds in told(choice, document, fixture):
                    trial.expect("reasons", answer, holds, f"{choice['candidate_id']}: {law}: {choice['reason']}")


def changed(fixture, generator):
    """A copy in another zone, currency, time, or with other names, prices, notes and days."""
    fixture = copy.deepcopy(fixture)
    vault = fixture["vault"]
    for way in generator.sample(["zone", "currency", "moment", "name", "hints", "prices", "ships", "few", "sold out", "marks"], 3):
        if way == "zone":
            vault["timezone"] = generator.choice(ZONES)
        elif way == "currency":
            currency = generator.choice(CURRENCIES)
            for budget in vault["budgets"].values():
                budget["currency"] = currency
        elif way == "moment":
            fixture["as_of"] = generator.choice(MOMENTS)
        elif way == "name":
            vault["partner_name"] = generator.choice(NAMES)
        elif way == "hints":
            vault["hints"] = vault["hints"][: generator.randint(0, 2)]
        elif way == "few":
            kept = generator.sample(fixture["candidates"], min(len(fixture["candidates"]), generator.randint(0, 6)))
            fixture["candidates"] = kept
            ids = {candidate["id"] for candidate in kept}
            fixture["judgments"] = [one for one in fixture["judgments"] if one["candidate_id"] in ids]
        elif way == "marks":
            for hint in vault["hints"]:
                hint["text"] = "🎁 " + hint["text"][:480] + " 🏳️‍🌈"
        for candidate in fixture["candidates"]:
            if way == "prices" and generator.random() < 0.5:
                candidate["price_cents"] = generator.choice([None, 0, 1, 10**9])
            elif way == "ships":
                candidate["ships_in_days"] = generator.choice([None, 0, 1, 10, 400])
            elif way == "sold out" and generator.random() < 0.7:
                candidate["check"] = generator.choice(["sold_out", "gone", "closed", "blocked"])
    return fixture


def told(choice, document, fixture):
    """Laws of one card's reasons, each with whether it holds."""
    vault, reason, neutral = fixture["vault"], choice["reason"], choice["reason_neutral"]
    offer = next(candidate for candidate in fixture["candidates"] if candidate["id"] == choice["candidate_id"])
    zone = zoneinfo.ZoneInfo(vault["timezone"])
    today = local(document["as_of"], zone)
    days = {said(local(hint["created_at"], zone), today) for hint in vault["hints"]}
    quote = re.search(r"On (\d+ \w+(?: \d{4})?) you noted: “(.*?)”\. (?:That suggests|It |Its )", reason, re.S)
    if quote:
        notes = [hint for hint in vault["hints"] if quote[2] in hint["text"]]
        right = any(said(local(hint["created_at"], zone), today) == quote[1] for hint in notes)
        yield "the quote is of a note of that day", right
    for day in re.findall(r"you noted on (\d+ \w+(?: \d{4})?)", reason):
        yield "something was noted that day", day in days
    spoken = re.search(r"What you noted on (\d+ \w+(?: \d{4})?) speaks of “(.*?)”", reason)
    if spoken:
        yield "a note has the words it speaks of", any(has(hint["text"], spoken[2]) for hint in vault["hints"])
    shown = re.search(r"likes: it says “(.*?)”\.", reason)
    if shown:
        yield "the card says so", has(f"{offer['title']} {offer['description'] or ''}", shown[1])
    listed = re.search(r"likes: it is listed under “(.*?)”\.", reason)
    if listed:
        yield "a tag or the title says so", has(" ".join([offer["title"], *offer["tags"]]), listed[1])
    yield "nothing is noted where there are no notes", bool(vault["hints"]) or "noted" not in reason
    spare = re.search(r"It arrives (?:(\d+) days before|the (day) before|on the (day) of)", reason)
    if spare:
        left = (datetime.date.fromisoformat(document["occurrence"]) - today).days - offer["ships_in_days"]
        yield "it arrives so early", left == (int(spare[1]) if spare[1] else 1 if spare[2] else 0)
    starts = re.search(r"It is on (\d+ \w+(?: \d{4})?)[;.]", reason)
    if starts:
        start = choice["starts_at_local"]
        yield "it begins that day", start is not None and said(datetime.date.fromisoformat(start[:10]), today) == starts[1]
    amount, budget = choice["budget_cents"], document["budget"]
    inside = amount is not None and budget["min_cents"] <= amount <= budget["max_cents"]
    yield "it is within the budget where it says so", ("within your" in reason) == inside
    yield "no price is listed where it says so", "price is not listed" not in reason or offer["price_cents"] is None
    yield "the neutral sentence has no name", len(vault["partner_name"]) < 4 or vault["partner_name"] not in neutral
    yield "the neutral sentence has no note", not any(hint["text"][:24] in neutral for hint in vault["hints"])
    yield "it reads well", not UNTIDY.search(reason) and not UNTIDY.search(neutral)


def local(moment, zone):
    """The day of a moment at a place."""
    return datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(zone).date()


def said(day, today):
    """A day as people say it."""
    return f"{day.day} {MONTHS[day.month - 1]}" + ("" if day.year == today.year else f" {day.year}")


def has(text, words):
    """Whether a text has the beginning of each word, whose form may be another: "hiking" for "HIKE", "cafe" for "café"."""
    text = plain(text)
    beginnings = [re.sub(r"(?<=...)(ing|ed|es|s|e)$", "", word)[:4] for word in re.findall(r"\w+", plain(words)) if len(word) > 2]
    return all(beginning in text for beginning in beginnings)


def plain(text):
    """Small letters without their accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter))
