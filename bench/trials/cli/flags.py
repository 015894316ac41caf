"""Bad words on the command line: every verb and flag that the help names, with values that cannot fit."""

import re

# A flag of the help: its name and, where it takes a value, the kind of it.
FLAG = re.compile(r"^ {2,6}(?:-\w, )?(--[a-z-]+)(?: (\S+)(?: B)?)?(?:  |$)")
BAD = {
    "N": ["abc", "-1", "1.5", "99999999999999999999999", "0x10", "١٢", ""],
    "DURATION": ["5", "-3s", "abc", "1e999s", "5 parsecs", ""],
    "TIME": ["yesterday", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T25:00:00Z", "infinity", ""],
    **{name: ["nope", ""] for name in ("OCCASION", "REASON", "STATE", "FORMAT", "KERNELS", "WHEN", "WORDS")},
    "NODE.PARAMETER=VALUE": ["", "=", "combine", "combine.hints", ".=1", "combine.=1", "nope.nope=1", "combine.hints=nan"],
}


def verbs(trial):
    """The verbs that the help names."""
    text = trial.call(["help"]).out.decode()
    return re.findall(r"^  ([a-z-]+)  +\S", text, re.M)


def flags(trial, verb):
    """The flags of a verb as its help lists them."""
    text = trial.call(["help", verb, "--help-all"]).out.decode() or trial.call(["help", verb]).out.decode()
    found = {}
    # An example that goes on in a second line looks like a flag.
    text = text.split("ptions:\n", 1)[-1]
    for line in text.replace("|\n          ", "|").splitlines():
        match = FLAG.match(line)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def try_all(trial, generator):
    """Every verb with every flag: unknown, doubled, without a value, with a value that cannot fit."""
    names = verbs(trial)
    trial.expect("flags", trial.call(["help"]), len(names) > 20, "the help names its verbs")
    for verb in names:
        trial.judge("flags", trial.call([verb, "--no-such-flag"]), {64}, "--no-such-flag")
        trial.judge("flags", trial.call([verb, "--no-such-flag", "--json"]), {64}, "--no-such-flag")
        trial.judge("flags", trial.call([verb, "-Z"]), {64})
        for flag, kind in flags(trial, verb).items():
            if kind is None:
                trial.judge("flags", trial.call([verb, f"{flag}=maybe"]), {64})
                continue
            trial.judge("flags", trial.call([verb, flag]), {64}, flag)
            values = BAD.get(kind, [])
            if "|" in kind and not {"FILE", "DIR", "ID"} & set(kind.split("|")):
                values = ["nope", kind.split("|")[0].upper() + "x", kind.split("|")[0] + " ", ""]
            for value in values:
                # doctor tries the pipeline that it is given, and says that it cannot be had.
                codes = {64, 66, 69, 78} if kind.startswith("NODE") else {64}
                trial.judge("flags", trial.call([verb, flag, value]), codes)
    for words in bad_verbs(names, generator):
        trial.judge("verbs", trial.call(words), {64})


def bad_verbs(names, generator):
    """Words that are almost verbs, and words that no terminal should be sent back raw."""
    for name in names:
        place = generator.randrange(len(name))
        yield [name[:place] + "_" + name[place:]]
    yield from ([""], [" "], ["--"], ["-"], ["run\x1b[31m"], ["\u202erun"], ["ünknown"], ["run", "", "--json"])
    yield ["x" * 100_000]
    yield ["run"] + ["--set"] * 2_000
