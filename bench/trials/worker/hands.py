"""Nights in which others have their hands in the queue."""

import json
import os
import signal
import threading
import time

from stops import few_due


def told_vaults(night):
    """Whose notices are in the outbox."""
    names = [name for name in os.listdir(night.outbox) if not name.startswith(".")]
    return {json.load(open(os.path.join(night.outbox, name)))["vault_id"] for name in names}


def outside_scheduler(night, generator):
    """An outside scheduler asks for single reminders, several times at once, beside a worker that takes what is due."""
    notifications = [row[0] for row in night.psql("select notification_id from recommendation_jobs order by id")]
    few_due(night, len(notifications) // 2)
    worker = night.start()
    outcomes = {}

    def ask(notification, delay):
        time.sleep(delay)
        answer = night.call(["run-due", "--notification", notification, "--json"])
        night.trial.judge("calls of an outside scheduler", answer, {0, 66, 75})
        outcomes.setdefault(notification, []).append(answer.code)

    for begin in range(0, len(notifications), 4):
        threads = [
            threading.Thread(target=ask, args=(each, generator.random() * 0.3)) for each in notifications[begin : begin + 4] * 2
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    doubled = [each for each, codes in outcomes.items() if codes.count(0) > 1]
    if doubled:
        night.trial.violations.append(f"[outside_scheduler] {len(doubled)} reminders were done twice")
    worker.send_signal(signal.SIGTERM)
    night.end(worker, {0, 143})


def asked_beside(night, generator):
    """People ask for sets of their own while workers make those of reminders: no vault is shown an item twice."""
    # Which set is made first decides what the other one may hold.
    night.excused = None
    workers = [night.start() for _ in range(2)]
    codes = []

    def ask(vault, name, delay):
        time.sleep(delay)
        answer = night.call(["run", "--vault", vault, "--occasion", "major_milestone", "--request", name, "--json"])
        night.trial.judge("sets asked for beside workers", answer, {0, 10, 11})
        codes.append(answer.code)

    chosen = night.world.vaults[:12]
    threads = [threading.Thread(target=ask, args=(vault, name, generator.random())) for vault in chosen for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    night.until_done()
    for process in workers:
        process.send_signal(signal.SIGTERM)
        night.end(process, {0, 143})


def mixed_pipelines(night, generator):
    """Two workers with other pipelines on one queue, as while a new one is brought out: one set for each reminder."""
    night.excused = None
    workers = [night.start("--drain", "--pipeline", name) for name in ("classic", "choice-of-three", "classic")]
    for process in workers:
        night.end(process, {0}, limit=120)


def other_hands(night, generator):
    """Reminders are called off, tried again, edited, deleted and forgotten while a worker that stands still holds them."""
    night.excused = None
    sleeper = night.start()
    if not night.wait_for("recommendation_jobs where state = 'running'", 20):
        return
    sleeper.send_signal(signal.SIGSTOP)
    held = night.psql("select id, vault_id, milestone_id from recommendation_jobs where state = 'running' order by id")
    gone, told_off = set(), set()
    for number, (job, vault, milestone) in enumerate(held):
        way = number % 7
        if way == 0:
            answer = night.call(["jobs", "cancel", "--job", job])
            night.trial.judge("hands on a held job", answer, {0, 65})
            if answer.code == 0:
                told_off.add(vault)
        elif way == 1:
            night.trial.judge("hands on a held job", night.call(["jobs", "retry", "--job", job]), {65})
        elif way == 2:
            night.psql(f"delete from partner_milestones where id = '{milestone}'")
            told_off.add(vault)
        elif way == 3:
            night.psql(f"update partner_milestones set milestone_date = '2000-08-20' where id = '{milestone}'")
            told_off.add(vault)
        elif way == 4:
            night.trial.judge("hands on a held job", night.call(["forget", "--vault", vault, "--yes"], user="owner"), {0})
            gone.add(vault)
        elif way == 5:
            night.psql(f"update users set notifications_enabled = false where id = (select user_id from partner_vaults where id = '{vault}')")
            told_off.add(vault)
        else:
            night.psql(f"update users set quiet_hours_start = 11, quiet_hours_end = 14 where id = (select user_id from partner_vaults where id = '{vault}')")
    night.trial.count("hands on held jobs", len(held))
    early = told_vaults(night)
    sleeper.send_signal(signal.SIGCONT)
    time.sleep(4)
    sleeper.send_signal(signal.SIGTERM)
    night.end(sleeper, {0, 143})
    late = told_vaults(night) - early
    if late & (told_off | gone):
        night.trial.violations.append(f"[other_hands] {len(late & (told_off | gone))} were told of what was called off before")
    # Quiet hours end, and what waited for that is due.
    night.clock_jumps(3 * 3600)


ALL = (
    outside_scheduler,
    asked_beside,
    mixed_pipelines,
    other_hands,
)
