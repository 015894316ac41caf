"""Nights in which the server, the way to it or a disk breaks."""

import os
import signal
import subprocess
import time

import cuts


def cut_lines(night, generator):
    """Connections end after some bytes, before a COMMIT and after one."""
    proxy = cuts.CuttingProxy(night.server.port, generator)
    proxy.share = 0.6
    workers = [night.start(port=proxy.port) for _ in range(2)]
    night.until_done()
    night.trial.count("lines cut", proxy.cut)
    if proxy.cut < 3:
        night.trial.violations.append(f"[cut_lines] only {proxy.cut} lines were cut")
    for process in workers:
        process.send_signal(signal.SIGTERM)
        night.end(process, {0, 143})
    proxy.close()


def server_stops(night, generator):
    """The server is stopped, at once and in peace, and started again, under the same workers."""
    workers = [night.start() for _ in range(2)]
    # One that finds no server when it starts ends, and is started again by whoever sees to it.
    night.wait_for("recommendation_jobs where state = 'running'", 20)
    time.sleep(0.5)
    for _ in range(8):
        time.sleep(generator.random() * 1.2)
        if generator.random() < 0.5:
            night.server.stop_at_once()
        else:
            night.server.tool("pg_ctl", "-D", night.server.data, "-m", "fast", "-w", "stop", check=False)
        night.server.start()
        night.trial.count("stops of the server")
    night.time_passes()
    night.until_done()
    for process in workers:
        if process.poll() is not None:
            night.trial.violations.append(f"[server_stops] a worker ended by itself with {process.returncode}: {night.said(process)[-300:]}")
        else:
            process.send_signal(signal.SIGTERM)
            night.end(process, {0, 143})


def ended_backends(night, generator):
    """Sessions are ended by an administrator again and again."""
    workers = [night.start() for _ in range(2)]
    end = time.monotonic() + 60
    while night.open() and time.monotonic() < end:
        night.psql(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'knot_worker'"
            " order by random() limit 2"
        )
        night.trial.count("sessions ended", 2)
        night.psql("update recommendation_jobs set run_at = knot.clock() where state = 'retryable'")
        time.sleep(0.2)
    night.until_done()
    spent = night.psql("select max(crash_count) from recommendation_jobs")[0][0]
    if int(spent or 0) > 0:
        night.trial.violations.append(f"[ended_backends] sessions that end count as crashes: {spent}")


def read_only(night, generator):
    """The database takes no writes for a while, as a standby does."""
    workers = [night.start() for _ in range(2)]
    night.wait_for("recommendation_jobs where state = 'running'", 20)
    night.psql(f"alter database {night.database} set default_transaction_read_only = on")
    night.psql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'knot_worker'")
    time.sleep(3)
    for process in workers:
        if process.poll() is not None:
            night.trial.violations.append(f"[read_only] a worker ended by itself: {night.said(process)[-300:]}")
    night.psql(f"set default_transaction_read_only = off; alter database {night.database} reset default_transaction_read_only")
    night.psql("set default_transaction_read_only = off; update recommendation_jobs set run_at = knot.clock() where state = 'retryable'")
    began = time.monotonic()
    night.until_done(90)
    night.trial.count("seconds to go on", int(time.monotonic() - began))


def locked_table(night, generator):
    """Somebody alters a table for a while: jobs wait, and none is spent."""
    workers = [night.start() for _ in range(2)]
    night.wait_for("recommendation_jobs where state = 'running'", 20)
    for table in ("recommendation_jobs", "recommendation_runs", "partner_vaults"):
        night.psql(f"begin; lock table public.{table} in access exclusive mode; select pg_sleep(4); commit")
    night.until_done()


def full_outbox(night, generator):
    """The disk of the outbox is full for a while: nothing is lost, and no part of a notice has a notice's name."""
    if os.geteuid():
        return night.trial.count("nights that only root has")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "knot-outbox", night.outbox], check=True)
    try:
        with open(os.path.join(night.outbox, ".filler"), "wb") as filler:
            filler.write(bytes(40 * 1024))
        first = night.call(["work", "--drain"])
        night.trial.judge("workers before a full disk", first, {0, 74, 75})
        codes = night.psql("select distinct last_error_code from recommendation_jobs where state = 'retryable'")
        if codes != [["outbox_disk_full"]]:
            night.trial.violations.append(f"[full_outbox] what waits says {codes}")
        files = [name for name in os.listdir(night.outbox) if not name.startswith(".")]
        sent = night.psql("select count(*) from notification_queue where status = 'sent'")[0][0]
        if len(files) < int(sent):
            night.trial.violations.append(f"[full_outbox] {sent} sent and {len(files)} files")
        keep = {name: open(os.path.join(night.outbox, name), "rb").read() for name in files}
    finally:
        subprocess.run(["umount", night.outbox], check=True)
    for name, content in keep.items():
        with open(os.path.join(night.outbox, name), "wb") as file:
            file.write(content)


def shut_outbox(night, generator):
    """The outbox is not there, is no folder, or takes no writes: each says so, and no job is put aside for it."""
    other = night.outbox + "-other"
    answers = [night.call(["work", "--drain"], KNOT_OUTBOX=other)]
    open(other, "w").close()
    night.time_passes()
    answers.append(night.call(["work", "--drain"], KNOT_OUTBOX=other))
    os.remove(other)
    if not os.geteuid():
        os.makedirs(other)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "knot-outbox", other], check=True)
        night.time_passes()
        answers.append(night.call(["work", "--drain"], KNOT_OUTBOX=other))
        subprocess.run(["umount", other], check=True)
    for answer in answers:
        night.trial.judge("workers without an outbox", answer)
        night.trial.expect("shut_outbox", answer, b"outbox" in answer.err, "does not say that the outbox is the matter")
    dead = night.psql("select count(*) from recommendation_jobs where state = 'dead'")[0][0]
    if dead != "0":
        night.trial.violations.append(f"[shut_outbox] {dead} reminders were put aside")


def full_database(night, generator):
    """The server's disk is full for a while."""
    if os.geteuid():
        return night.trial.count("nights that only root has")
    place = os.path.join(night.world.scratch, f"{night.database}-space")
    os.makedirs(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "knot-space", place], check=True)
    space = os.path.join(place, "space")
    os.makedirs(space)
    os.chown(space, night.server.user.pw_uid, night.server.user.pw_gid)
    try:
        night.server.psql(f"create tablespace small location '{space}'", database="postgres")
        night.server.psql(f"alter database {night.database} set tablespace small", database="postgres")
        filler = os.path.join(place, "filler")
        full = os.open(filler, os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(full, bytes(65_536)):
                pass
        except OSError:
            pass
        os.close(full)
        # A few pages are left, so that it is full in the middle of the work.
        os.truncate(filler, max(0, os.path.getsize(filler) - 200 * 1024))
        answer = night.call(["work", "--drain"], limit=120)
        night.trial.judge("workers before a full disk", answer, {0, 69, 74, 75})
        told = len([name for name in os.listdir(night.outbox) if not name.startswith(".")])
        night.trial.count("notices told before a full disk", told)
        os.remove(filler)
        night.time_passes()
        night.trial.judge("last workers", night.call(["work", "--drain"], limit=240), {0})
        night.server.psql(f"alter database {night.database} set tablespace pg_default", database="postgres")
        night.server.psql("drop tablespace small", database="postgres")
    finally:
        subprocess.run(["umount", "-l", place], check=True)


ALL = (
    cut_lines,
    server_stops,
    ended_backends,
    read_only,
    locked_table,
    full_outbox,
    shut_outbox,
    full_database,
)
