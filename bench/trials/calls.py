"""One call of the command and the laws that hold for every call, whatever was asked of it."""

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field

# What a program prints that fell over instead of answering.
TRACES = re.compile(rb"Fatal error|Stack dump|crashed|Segmentation|unexpectedly found|Precondition failed|backtrace", re.I)
ESCAPES = re.compile(rb"\x1b|\x07|\x08|\x00")
DOCUMENTED = {0, 10, 11, 64, 65, 66, 69, 74, 75, 77, 78}
LIMIT = 30.0
SECRET = "pa55-never-print-me"


@dataclass
class Answer:
    """What the command answered."""

    words: list
    code: int
    out: bytes
    err: bytes
    seconds: float

    def line(self):
        """The call as somebody would type it, for a report."""
        return " ".join(repr(w) if isinstance(w, bytes) or not w or " " in w else w for w in self.words)


@dataclass
class Trial:
    """Counts what was tried by group and collects what broke a law."""

    command: str
    environment: dict
    counts: dict = field(default_factory=dict)
    violations: list = field(default_factory=list)

    def call(self, words, stdin=b"", environment=None, folder=None, limit=LIMIT):
        """Runs the command once; what it leaves open is closed, and what hangs is killed."""
        merged = dict(self.environment, **(environment or {}))
        started = time.monotonic()
        process = subprocess.Popen(
            [self.command, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={name: value for name, value in merged.items() if value is not None},
            cwd=folder,
        )
        try:
            out, err = process.communicate(stdin, timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            out, err = process.communicate()
            code = None
        return Answer(list(words), code, out, err, time.monotonic() - started)

    def count(self, group, number=1):
        """Counts what was tried."""
        self.counts[group] = self.counts.get(group, 0) + number

    def report(self, seed, seconds):
        """Prints what was tried, by group, and every broken law; returns the exit code."""
        groups = {}
        for name, count in self.counts.items():
            group = name.split(":")[0].split(",")[0]
            groups[group] = groups.get(group, 0) + count
        for name, count in sorted(groups.items()):
            print(f"  {count:6}  {name}")
        print(f"  {sum(groups.values()):6}  in all, seed {seed}, {seconds:.0f} s")
        for violation in self.violations:
            print("broken: " + violation)
        print(f"{sum(groups.values()) - len(self.violations)} passed, {len(self.violations)} failed")
        return 1 if self.violations else 0

    def expect(self, group, answer, holds, law):
        """Notes a law that does not hold."""
        if not holds:
            first = (answer.err or answer.out).split(b"\n")[0][:200].decode("utf-8", "replace")
            self.violations.append(f"[{group}] {law}: {answer.line()} -> {answer.code}: {first}")

    def judge(self, group, answer, codes=None, names=None):
        """Counts a call and holds it to the laws of every call; `codes` are those that fit, `names` what the error must name."""
        self.count(group)
        self.expect(group, answer, answer.code is not None, f"no answer within {LIMIT:.0f} s")
        if answer.code is None:
            return
        self.expect(group, answer, answer.code in DOCUMENTED, "exit code is not one that bad input may have")
        if codes is not None:
            self.expect(group, answer, answer.code in codes, f"exit code is none of {sorted(codes)}")
        text = answer.out + answer.err
        self.expect(group, answer, not TRACES.search(text), "prints the traces of a crash")
        self.expect(group, answer, not ESCAPES.search(text), "sends control characters where there is no terminal")
        self.expect(group, answer, SECRET.encode() not in text, "prints a password")
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            self.expect(group, answer, False, "prints what is not UTF-8")
        if answer.code in (0, 10, 11):
            return
        lines = answer.err.decode("utf-8", "replace").splitlines()
        is_help = b"Usage" in answer.err or b"Usage" in answer.out
        self.expect(
            group, answer, is_help or any(l.startswith("error: ") for l in lines), "a failure without a line 'error: …'"
        )
        if names is not None:
            self.expect(group, answer, names in answer.err.decode("utf-8", "replace"), f"the error does not name {names}")
        if "--json" in answer.words:
            self.judge_error_document(group, answer)
        elif answer.out and not is_help and answer.words[:1] not in (["run"], ["doctor"], ["import"]):
            # Verbs over many things print the ones that went well; others print nothing beside an error.
            self.expect(group, answer, answer.words[:1] != ["replay"], "prints a result beside an error")

    def judge_error_document(self, group, answer):
        """With --json a failure is one object on standard output."""
        try:
            document = json.loads(answer.out.splitlines()[-1] if answer.out.count(b"\n{") else answer.out)
        except (ValueError, IndexError):
            last = answer.out.decode("utf-8", "replace").rfind("\n{\n")
            try:
                document = json.loads(answer.out.decode("utf-8", "replace")[last + 1 :])
            except ValueError:
                self.expect(group, answer, False, "with --json a failure prints no JSON object")
                return
        known = {"schema", "code", "where", "what", "todo", "problems"}
        fits = document.get("schema") != "knot.error/1" or known <= set(document)
        self.expect(group, answer, fits and "schema" in document, "the error's object lacks a field")


def clean_environment(scratch):
    """An environment in which nothing of this machine's settings decides; no database can be reached."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "KNOT_CACHE")}
    for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        kept[name] = os.path.join(scratch, name.lower())
        os.makedirs(kept[name], exist_ok=True)
    kept["KNOT_MODEL"] = "none"
    kept["KNOT_DEV_DB"] = os.path.join(scratch, "dev-db")
    kept["DATABASE_URL"] = f"postgresql://knot:{SECRET}@127.0.0.1:1/knot"
    return kept
