"""Signals, closed pipes and odd surroundings: the right code, nothing half written, nothing left behind."""

import json
import os
import pty
import select
import signal
import subprocess
import time

# A program may end with the code or by the signal itself after its clean-up: a shell shows the same.
CODES = {number: (128 + number, -number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}


def try_all(trial, repository, scratch, generator, rounds):
    """Signals at random moments of long and short calls."""
    folder = os.path.join(scratch, "signals")
    os.makedirs(folder, exist_ok=True)
    fixtures = os.path.join(repository, "fixtures/vaults")
    cassette = os.path.join(folder, "out.cassette")
    calls = [
        ["run", "--fixture", os.path.join(fixtures, "dev-03.json"), "--record", cassette],
        ["judge", "--fixtures", fixtures, "--readings", "rules"],
        ["evaluate", "--fixtures", fixtures, "--readings", "rules", "--against", "classic", "--report", os.path.join(folder, "r.html")],
        ["explain", "--fixture", os.path.join(fixtures, "dev-01.json"), "--candidate", "c27"],
    ]
    for _ in range(rounds):
        words, number = generator.choice(calls), generator.choice(list(CODES))
        open(cassette, "wb").write(b'{"old": true}\n')
        interrupt(trial, words, number, generator.random() * 0.6)
        whole = open(cassette, "rb").read()
        fits = whole == b'{"old": true}\n' or all(json.loads(line) for line in whole.splitlines())
        left = [name for name in os.listdir(folder) if name not in ("out.cassette", "r.html")]
        answer = trial.call(["version"])
        trial.expect("signals", answer, fits, f"a recording is half written after signal {number}")
        trial.expect("signals", answer, not left, f"left behind after signal {number}: {left}")


def interrupt(trial, words, number, delay):
    """Starts a call, sends the signal after a while, and looks at how it ended."""
    trial.count("signals")
    process = subprocess.Popen(
        [trial.command, *words], env=trial.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    time.sleep(delay)
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        trial.violations.append(f"[signals] does not end within 10 s of signal {number}: {words}")
        return
    ended_before = process.returncode in (0, 10, 11)
    if not (ended_before or process.returncode in CODES[number]):
        moment = f"signal {number} after {delay:.3f} s"
        trial.violations.append(f"[signals] {moment} ends {words[0]} with {process.returncode}: {err[-200:]!r}")


def try_pipes(trial, repository):
    """Whoever reads may stop reading: that is no error. Closed standard streams are no crash."""
    fixture = os.path.join(repository, "fixtures/vaults/dev-01.json")
    for words in (["run", "--fixture", fixture], ["help"], ["judge", "--fixtures", os.path.dirname(fixture), "--readings", "rules"]):
        trial.count("pipes")
        reader, writer = os.pipe()
        process = subprocess.Popen([trial.command, *words], env=trial.environment, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        os.close(reader)
        _, err = process.communicate(timeout=30)
        if process.returncode != 0 or err:
            trial.violations.append(f"[pipes] a closed pipe gives {process.returncode} {err[:200]!r}: {words[0]}")
    for redirections in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        trial.count("pipes")
        shell = f'exec "$0" run --fixture "$1" {redirections}'
        done = subprocess.run(["sh", "-c", shell, trial.command, fixture], env=trial.environment, capture_output=True, timeout=30)
        if done.returncode not in (0, 74):
            trial.violations.append(f"[pipes] with {redirections} it exits {done.returncode}")


def try_terminals(trial, repository):
    """What a terminal cannot show is not sent to it; what would delete asks first."""
    fixtures = os.path.join(repository, "fixtures/vaults")
    run = ["run", "--fixture", os.path.join(fixtures, "dev-01.json")]
    for words in (run, ["judge", "--fixtures", fixtures, "--readings", "rules"], ["help"]):
        for name, more in (("TERM=dumb", {"TERM": "dumb"}), ("NO_COLOR", {"NO_COLOR": "1", "TERM": "dumb"})):
            code, text = at_terminal(trial, words, more)
            trial.count("terminals")
            if b"\x1b" in text:
                trial.violations.append(f"[terminals] {name}: escapes are sent: {words[0]}")
            if code not in (0, 10, 11):
                trial.violations.append(f"[terminals] {name}: exit {code}: {words[0]}")
    no_answer = trial.call(["dev-db", "reset"])
    trial.judge("asks first", no_answer, {64})
    trial.call(["dev-db", "stop"])
    trial.judge("asks first", trial.call(["forget", "--vault", "9aab66c8-6461-4523-93b3-2600f073736b"]), {64, 69, 75})


def at_terminal(trial, words, more):
    """Runs a call on a pseudo terminal and returns its code and everything it sent."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(trial.command, [trial.command, *words], dict(trial.environment, **more))
    text, until = b"", time.monotonic() + 30
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            part = os.read(terminal, 65_536)
        except OSError:
            break
        if not part:
            break
        text += part
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), text
