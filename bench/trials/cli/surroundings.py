"""Odd surroundings: paths that are not UTF-8, inputs from pipes, no home, no database, no model."""

import os
import threading

import calls


def try_all(trial, repository, scratch):
    """Every way to hand over a file, and every surrounding without which the command must still answer."""
    folder = os.path.join(scratch, "surroundings")
    os.makedirs(folder, exist_ok=True)
    fixture = os.path.join(repository, "fixtures/vaults/dev-02.json")
    content = open(fixture, "rb").read()
    # In a folder of its own, since what lies beside a file is read with it and nothing lies beside standard input.
    fixture = os.path.join(folder, "alone.json")
    with open(fixture, "wb") as file:
        file.write(content)
    plain = trial.call(["run", "--fixture", fixture, "--readings", "rules", "--json"])
    try_inputs(trial, folder, content, plain)
    try_paths(trial, folder, content)
    try_databases(trial)
    for name, more in (
        ("no HOME", {"HOME": None, "XDG_CONFIG_HOME": None, "XDG_DATA_HOME": None}),
        ("HOME is nowhere", {"HOME": "/nonexistent", "XDG_CONFIG_HOME": None}),
        ("C locale", {"LANG": "C", "LC_ALL": "C"}),
        ("Turkish", {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"}),
        ("a zone", {"TZ": "Pacific/Apia"}),
        ("no zone", {"TZ": "Nowhere/At_All"}),
    ):
        answer = trial.call(["run", "--fixture", fixture, "--readings", "rules", "--json"], environment=more)
        trial.judge(f"environment: {name}", answer, {0})
        trial.expect(f"environment: {name}", answer, answer.out == plain.out, "the result depends on the environment")
    for name, value in (("KNOT_SEED", "x"), ("KNOT_THREADS", "-1"), ("KNOT_DEADLINE", "soon"), ("KNOT_PIPELINE", "nope")):
        answer = trial.call(["run", "--fixture", fixture], environment={name: value})
        trial.judge("environment: bad value", answer, {64, 78})
    trial.judge("model", trial.call(["run", "--fixture", fixture, "--model", "/nonexistent"]), {66, 78})
    trial.judge("model", trial.call(["doctor"], environment={"KNOT_MODEL": "/nonexistent"}), {66, 69, 78})


def try_inputs(trial, folder, content, plain):
    """Standard input, /dev/stdin and a FIFO are inputs like any file."""
    for name in ("-", "/dev/stdin"):
        answer = trial.call(["run", "--fixture", name, "--readings", "rules", "--json"], stdin=content)
        trial.judge("standard input", answer, {0})
        same = answer.out.replace(b"<standard input>", b"") == plain.out
        trial.expect("standard input", answer, same, "the same bytes give another result")
    fifo = os.path.join(folder, "fifo")
    if not os.path.exists(fifo):
        os.mkfifo(fifo)
    threading.Thread(target=write_whole, args=(fifo, content), daemon=True).start()
    answer = trial.call(["run", "--fixture", fifo, "--readings", "rules", "--json"])
    trial.judge("FIFO", answer, {0})
    trial.expect("FIFO", answer, answer.out == plain.out, "the same bytes give another result")
    trial.judge("standard input", trial.call(["run", "--fixture", "-"]), {65})
    trial.judge("standard input", trial.call(["run", "--fixture", "-", "--readings", "-"], stdin=content), {64})


def write_whole(path, content):
    """Writes to whoever reads; a reader who stops early is judged by its answer."""
    try:
        with open(path, "wb") as file:
            file.write(content)
    except BrokenPipeError:
        pass


def try_paths(trial, folder, content):
    """A name of any bytes is read, or named as what cannot be read; never silently another file."""
    for name in (b"caf\xe9.json", b"with space.json", b"new\nline.json", b"-dash.json", b"\xf0\x9f\x8e\x81.json", b"quo'te\".json"):
        path = os.path.join(folder.encode(), name)
        with open(path, "wb") as file:
            file.write(content)
        trial.judge("paths", trial.call([b"run", b"--fixture", path, b"--readings", b"rules"]), {0, 64})
        os.unlink(path)
        trial.judge("paths", trial.call([b"run", b"--fixture", path]), {64, 66})


def try_databases(trial):
    """Without a database each verb that needs one says so, soon, and never prints the password."""
    vault = "9aab66c8-6461-4523-93b3-2600f073736b"
    verbs = [
        ["run", "--vault", vault], ["run", "--all"], ["history", "--vault", vault], ["export", "--vault", vault], ["learn", "--all"],
        ["embed", "--all"], ["migrate"], ["migrate", "--status"], ["vault", "show", "--vault", vault], ["forget", "--vault", vault, "--yes"],
        ["hint", "add", "--vault", vault, "--text", "x"], ["explain", "--run", vault], ["refresh", "--run", vault, "--reason", "too_cheap"],
    ]
    urls = [
        f"postgresql://knot:{calls.SECRET}@127.0.0.1:1/knot", f"postgresql://knot:{calls.SECRET}@[::1]:1/knot?sslmode=nope", "postgresql://",
        f"host=/nonexistent password={calls.SECRET}", "nonsense", f"postgresql://knot:{calls.SECRET}@127.0.0.1:1/knot?no_such_option=1",
    ]
    for words in verbs:
        for url in urls:
            answer = trial.call([*words, "--deadline", "5s"], environment={"DATABASE_URL": url}, limit=15)
            trial.judge("no database", answer, {64, 66, 69, 75, 78})
        answer = trial.call(words, environment={"DATABASE_URL": None})
        trial.judge("no database", answer, {64, 69})
    for words in (["history", "--vault", "nope"], ["run", "--vault", "nope"], ["explain", "--run", "x"], ["forget", "--vault", "../x"]):
        trial.judge("no database", trial.call(words), {64, 66})
