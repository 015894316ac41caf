"""Outputs: never over an input or another output, whole or not at all, and readable by their owner alone."""

import json
import os
import stat


def names_of(path, folder):
    """Other ways to write one path: by `..`, through a link to it, through a link to its folder, as a hard link."""
    inside = os.path.dirname(path)
    yield "itself", path
    yield "by ..", os.path.join(inside, "..", os.path.basename(inside), os.path.basename(path))
    yield "doubled slash", path.replace("/", "//")
    yield "symbolic link", link(path, os.path.join(folder, "symbolic"), os.symlink)
    yield "link to the folder", os.path.join(link(inside, os.path.join(folder, "door"), os.symlink), os.path.basename(path))
    yield "hard link", link(path, os.path.join(folder, "hard"), os.link)


def link(path, name, make):
    """Makes a link anew."""
    if os.path.lexists(name):
        os.unlink(name)
    make(path, name)
    return name


def try_all(trial, repository, scratch):
    """Every output against every input and other output of the same call, by every name it can have."""
    folder = os.path.join(scratch, "outputs")
    os.makedirs(os.path.join(folder, "in"), exist_ok=True)
    source = open(os.path.join(repository, "fixtures/vaults/dev-02.json"), "rb").read()
    readings = open(os.path.join(repository, "fixtures/vaults/readings/dev-02.json"), "rb").read()
    fixture, reading = os.path.join(folder, "in", "fixture.json"), os.path.join(folder, "in", "readings.json")
    cassette = os.path.join(folder, "in", "run.cassette")
    for path, content in ((fixture, source), (reading, readings)):
        open(path, "wb").write(content)
    run = ["run", "--fixture", fixture, "--readings", reading]
    trial.judge("outputs", trial.call([*run, "--record", cassette]), {0})
    recorded = open(cassette, "rb").read()
    for path, content in ((fixture, source), (reading, readings)):
        for how, name in names_of(path, folder):
            for flag in ("--record", "--trace"):
                trial.judge(f"output is an input, {how}", answer := trial.call([*run, flag, name]), {64})
                kept = open(path, "rb").read() == content
                trial.expect(f"output is an input, {how}", answer, kept, "an input was overwritten")
                open(path, "wb").write(content)
    for how, name in names_of(cassette, folder):
        trial.judge(f"output is an input, {how}", answer := trial.call(["replay", cassette, "--trace", name]), {64})
        trial.expect("output is an input", answer, open(cassette, "rb").read() == recorded, "an input was overwritten")
        open(cassette, "wb").write(recorded)
        for first, second in (("--record", "--trace"), ("--trace", "--record")):
            words = [*run, first, os.path.join(folder, "new"), second, os.path.join(folder, "in", "..", "new")]
            trial.judge("two outputs in one file", trial.call(words), {64})
    try_modes(trial, run, folder)
    try_full(trial, run, folder)


def try_modes(trial, run, folder):
    """Recordings and traces are private, whatever the umask and whatever was there before."""
    for mask in (0o000, 0o022, 0o077):
        for before in (None, 0o644, 0o666):
            old = os.umask(mask)
            try:
                for flag in ("--record", "--trace"):
                    path = os.path.join(folder, "private" + flag)
                    if os.path.exists(path):
                        os.unlink(path)
                    if before is not None:
                        open(path, "w").write("old")
                        os.chmod(path, before)
                    answer = trial.call([*run, flag, path])
                    trial.judge("modes", answer, {0})
                    mode = stat.S_IMODE(os.stat(path).st_mode)
                    trial.expect("modes", answer, mode == 0o600, f"{flag} was written with mode {mode:o}")
                    trial.expect("modes", answer, lines_are_json(path), f"{flag} is not whole")
            finally:
                os.umask(old)


def lines_are_json(path):
    """True where each line of a file is a JSON object."""
    try:
        return all(isinstance(json.loads(line), dict) for line in open(path, "rb"))
    except ValueError:
        return False


def try_full(trial, run, folder):
    """No room, no folder, no file: said, and nothing is left behind."""
    before = sorted(os.listdir(folder))
    for flag in ("--record", "--trace"):
        trial.judge("no room", trial.call([*run, flag, "/dev/full"]), {74}, "/dev/full")
        trial.judge("no folder", trial.call([*run, flag, os.path.join(folder, "none", "x")]), {66, 74})
        trial.judge("a folder", trial.call([*run, flag, folder]), {64, 66, 74})
    answer = trial.call(run)
    trial.expect("no room", answer, sorted(os.listdir(folder)) == before, "files were left behind")
