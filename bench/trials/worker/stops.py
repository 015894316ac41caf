"""Nights in which workers are killed, told to stop or stand still, or have another clock."""

import os
import signal
import subprocess
import time

from webhooks import receiver, webhook_settings

LIBFAKETIME = next(
    (path for path in ("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1")
     if os.path.exists(path)), None)


def few_due(night, number):
    """Only so many of what waits are due now, so that a night has many rounds; false where nothing waits any more."""
    waiting = "state in ('available', 'retryable')"
    night.psql(
        f"""
        update recommendation_jobs set run_at = knot.clock() + interval '1 day' where {waiting};
        update recommendation_jobs set run_at = knot.clock()
        where id in (select id from recommendation_jobs where {waiting} order by id limit {number})
        """
    )
    return night.open() > 0


def kills(night, generator):
    """Workers are killed at moments that nobody chose, two side by side."""
    for _ in range(40):
        if not night.open():
            break
        pair = [night.start("--drain") for _ in range(2)]
        for process in pair:
            try:
                process.wait(0.05 + generator.random() * 2.5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                night.trial.count("workers killed")
        night.time_passes()


def terms(night, generator):
    """Told to stop once, twice, often: never a job left held, and the exit codes say which it was."""
    night.sends_elsewhere = True
    webhook = receiver(lambda: "slow")
    way = webhook_settings(webhook)
    for _ in range(60):
        if not few_due(night, 3):
            break
        process = night.start(**way)
        time.sleep(0.1 + generator.random() * 1.2)
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        often = generator.choice((0, 1, 6))
        for number in range(often):
            # Within two seconds it may be an echo of the first.
            time.sleep(2.1 if number == 0 else 0.05)
            process.send_signal(generator.choice((signal.SIGTERM, signal.SIGINT)))
        code = night.end(process, {0, 143, 130, -15, -2})
        if time.monotonic() - began > 28:
            night.trial.violations.append("[terms] a stop took longer than 28 s")
        night.trial.count("workers told to stop" + (" before they could hear it" if code and code < 0 else ""))
        held = night.psql("select count(*) from recommendation_jobs where state = 'running'")[0][0]
        if code is not None and code >= 0 and held != "0":
            night.trial.violations.append(f"[terms] exit {code} left {held} jobs held")
    webhook.shutdown()


def stands_still(night, generator):
    """A worker is stopped while it holds jobs, its leases run out, others do its work, and it wakes up."""
    # Handing over takes a while, since in that moment most is at stake: somebody was told, and nothing is written yet.
    night.sends_elsewhere = True
    webhook = receiver(lambda: "slow")
    way = webhook_settings(webhook)
    settled = "select id, state, run_id, claim_token, finished_at from recommendation_jobs where state in ('completed', 'running')"
    for _ in range(40):
        # A few are due at a time, so that it is stopped at many moments of its work.
        if not few_due(night, 3):
            break
        sleeper = night.start(**way)
        if not night.wait_for("recommendation_jobs where state = 'running'", 20):
            night.trial.violations.append("[stands_still] a worker claims nothing that is due")
            break
        time.sleep(generator.random())
        sleeper.send_signal(signal.SIGSTOP)
        held = int(night.psql("select count(*) from recommendation_jobs where state = 'running'")[0][0])
        night.trial.count("workers that stood still" + (" with jobs" if held else ", too late"))
        night.time_passes()
        other = None
        if generator.random() < 0.5:
            night.trial.judge("workers beside one that stands still", night.call(["work", "--drain"], **way), {0})
        else:
            # Another one has its jobs and stands still as well, while the first one goes on with what it thinks its own.
            other = night.start(**way)
            night.wait_for("recommendation_jobs where state = 'running'", 20)
            other.send_signal(signal.SIGSTOP)
        kept = night.psql(settled)
        sleeper.send_signal(signal.SIGCONT)
        sleeper.send_signal(signal.SIGTERM)
        night.end(sleeper, {0, 143})
        if not set(map(tuple, kept)) <= set(map(tuple, night.psql(settled))):
            night.trial.violations.append("[stands_still] a worker that woke up changed what was ended or held by others")
        if other:
            other.send_signal(signal.SIGCONT)
            other.send_signal(signal.SIGTERM)
            night.end(other, {0, 143})
            night.time_passes()
    webhook.shutdown()


def clocks(night, generator):
    """Workers whose clocks are hours and minutes apart: the database's time decides."""
    if not LIBFAKETIME:
        night.trial.count("nights without libfaketime")
        return
    offsets = ["+5m", "-5m", "+1h", "-1d", "+1d", "-1h"]
    generator.shuffle(offsets)
    workers = [
        night.start("--drain", LD_PRELOAD=LIBFAKETIME, FAKETIME=offset, FAKETIME_DONT_FAKE_MONOTONIC="1") for offset in offsets[:4]
    ]
    for process in workers:
        night.end(process, {0}, limit=120)
    if night.open():
        night.trial.violations.append(f"[clocks] {night.open()} reminders are left by workers with other clocks")


def database_clock(night, generator):
    """The database's own clock steps by minutes, both ways, while workers are at work."""
    workers = [night.start() for _ in range(2)]
    for _ in range(8):
        time.sleep(0.4)
        night.clock_jumps(generator.choice((300, -300, 61, -61)))
    night.clock_jumps(900)
    night.until_done()
    for process in workers:
        process.send_signal(signal.SIGTERM)
        night.end(process, {0, 143})


ALL = (
    kills,
    terms,
    stands_still,
    clocks,
    database_clock,
)
