"""Bad files: what is not JSON at all, and documents in which a few things were changed at random."""

import copy
import json
import os

DEEP = 20_000


def broken_texts(whole):
    """Bytes that are no document, each with why; every one of them must be refused."""
    middle = whole.index(b'"', len(whole) // 2) + 1
    yield "empty", b""
    yield "blank", b" \n\t"
    yield "cut off", whole[: len(whole) * 2 // 3]
    yield "doubled document", whole + whole
    yield "trailing word", whole + b" x"
    yield "byte that is not UTF-8", whole[:middle] + b"\xff" + whole[middle:]
    yield "overlong slash", whole[:middle] + b"\xc0\xaf" + whole[middle:]
    yield "lone surrogate", whole[:middle] + b"\\ud800" + whole[middle:]
    yield "raw control character", whole[:middle] + b"\x01" + whole[middle:]
    yield "doubled key", whole.replace(b"{", b'{"schema": 1, "schema": 1, ', 1)
    yield "number past every bound", whole.replace(b"{", b'{"a": 1e999, ', 1)
    yield "NaN", whole.replace(b"{", b'{"a": NaN, ', 1)
    yield "comment", b"// hello\n" + whole
    yield "byte order mark of UTF-16", "\ufeff{}".encode("utf-16")
    yield "too deep", b"[" * DEEP + b"]" * DEEP
    yield "too deep inside", whole.replace(b"{", b'{"a": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b", ", 1)
    yield "array", b"[" + whole + b"]"
    yield "null", b"null"
    yield "number", b"17"


def paths(value, path=()):
    """Every place in a document, the document itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from paths(inner, path + (key,))


ODD = [
    None, True, 0, -1, 1.5, 2**53 + 1, -(2**63), 10**30, 1e308, "", " ", "\u0000", "x" * 100_000, "\u202e\u2066", "2026-02-30",
    "infinity", "Mars/Base", "BTC", "ZZ", [], {}, [[]], {"a": {}}, "https://user:pw@127.0.0.1/", "javascript:alert(1)", "\U0001f9e8" * 50,
]


def mutate(document, generator):
    """A copy in which one to three places were removed, replaced, doubled or renamed."""
    changed = copy.deepcopy(document)
    for _ in range(generator.randint(1, 3)):
        places = list(paths(changed))
        if not places:
            return changed
        place = generator.choice(places)
        inner = changed
        for key in place[:-1]:
            inner = inner[key]
        last, way = place[-1], generator.randrange(4)
        if way == 0:
            del inner[last]
        elif way == 1:
            inner[last] = copy.deepcopy(generator.choice(ODD))
        elif way == 2 and isinstance(inner, list):
            inner.append(copy.deepcopy(inner[last]))
        elif way == 3 and isinstance(inner, dict):
            inner[str(last) + generator.choice(["z", " ", "_"])] = inner.pop(last)
    return changed


def write(folder, name, content):
    """Writes a file for one call and says where."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else json.dumps(content).encode("utf-8", "surrogatepass"))
    return path


def kinds(trial, repository, folder):
    """Each kind of input file: its name, a good one, how it is given to the command, and the codes of a bad one."""
    fixture = os.path.join(repository, "fixtures/vaults/dev-01.json")
    readings = os.path.join(repository, "fixtures/vaults/readings/dev-01.json")
    cassette = os.path.join(folder, "good.cassette")
    result = trial.call(["run", "--fixture", fixture, "--json", "--record", cassette])
    trial.judge("documents", result, {0})
    good_result = write(folder, "good-result.json", result.out)
    expanded = write(folder, "good-pipeline.json", trial.call(["expand"]).out)
    experiment = write(folder, "good-experiment.json", {"nodes": {"combine": {"parameters": {"hints": 0.7}}}})
    run = ["run", "--fixture", fixture]
    return [
        ("fixture", fixture, lambda path: ["run", "--fixture", path], {65}),
        ("readings", readings, lambda path: [*run, "--readings", path], {65}),
        ("rates", os.path.join(repository, "fixtures/vaults/rates.json"), lambda path: [*run, "--rates", path], {65}),
        ("pipeline", expanded, lambda path: [*run, "--pipeline", path], {65, 78}),
        ("checked pipeline", expanded, lambda path: ["check", path], {65, 78}),
        ("experiment", experiment, lambda path: [*run, "--experiment", path], {65, 78}),
        ("result", good_result, lambda path: ["refresh", "--from", path, "--fixture", fixture, "--reason", "too_cheap"], {65}),
        ("cassette", cassette, lambda path: ["replay", path], {65}),
        ("judged fixture", fixture, lambda path: ["judge", "--fixtures", os.path.dirname(path), "--readings", "rules"], {65}),
    ]


def try_all(trial, repository, scratch, generator, mutants):
    """Every kind of file: unreadable in every way, then changed at random."""
    for name, good, words, codes in kinds(trial, repository, scratch):
        folder = os.path.join(scratch, "documents", name.replace(" ", "-"))
        os.makedirs(folder, exist_ok=True)
        whole = open(good, "rb").read()
        if not whole:
            trial.violations.append(f"[documents] there is no good {name} to break")
            continue
        is_lines = name == "cassette"
        for why, content in broken_texts(whole):
            if is_lines and why in ("doubled key", "number past every bound", "NaN", "too deep inside"):
                content = content.replace(b"\n", b" \n", 1)
            path = write(folder, "input.json", content)
            for more in ([], ["--json"]):
                answer = trial.call([*words(path), *more])
                trial.judge(f"bytes: {name}: {why}", answer, codes, path)
        if not is_lines:
            document = json.loads(whole)
            for number in range(mutants):
                path = write(folder, "input.json", mutate(document, generator))
                answer = trial.call([*words(path), *(["--json"] if number % 3 == 0 else [])])
                accepted = {0, 10, 11, 65, 78} if "pipeline" in name or name == "experiment" else {0, 10, 11, 65}
                trial.judge(f"mutants: {name}", answer, accepted)
                if answer.code in (65, 78):
                    trial.expect(f"mutants: {name}", answer, path in answer.err.decode("utf-8", "replace"), "names no file")
        elif mutants:
            try_lines(trial, whole, words, folder, generator, mutants)
        try_places(trial, name, words, folder)


def try_lines(trial, whole, words, folder, generator, mutants):
    """A recording with lines lost, doubled, swapped, cut and changed: refused, or replayed as what it is."""
    lines = whole.splitlines(keepends=True)
    for _ in range(mutants):
        changed = list(lines)
        place, way = generator.randrange(len(changed)), generator.randrange(4)
        if way == 0:
            del changed[place]
        elif way == 1:
            changed.insert(place, changed[place])
        elif way == 2:
            other = generator.randrange(len(changed))
            changed[place], changed[other] = changed[other], changed[place]
        else:
            changed[place] = json.dumps(mutate(json.loads(changed[place]), generator)).encode() + b"\n"
        path = write(folder, "input.json", b"".join(changed))
        trial.judge("mutants: cassette", trial.call(words(path)), {0, 10, 11, 65})


def try_places(trial, name, words, folder):
    """A path that leads to no file of that kind."""
    if name == "judged fixture":
        return
    trial.judge(f"places: {name}", trial.call(words(os.path.join(folder, "missing.json"))), {66}, "missing.json")
    trial.judge(f"places: {name}", trial.call(words(folder + "/")), {64, 65, 66}, None)
    through = write(folder, "file", b"x")
    trial.judge(f"places: {name}", trial.call(words(through + "/below.json")), {66, 74}, "below.json")
    loop = os.path.join(folder, "loop.json")
    if not os.path.islink(loop):
        os.symlink(loop, loop)
    trial.judge(f"places: {name}", trial.call(words(loop)), {66, 74}, "loop.json")
    trial.judge(f"places: {name}", trial.call(words("/" + "n" * 300 + ".json")), {66, 74})
