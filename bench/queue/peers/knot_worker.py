"""One process that works our queue off through its functions and ends: URL BATCH.

As a worker does: jobs are claimed in batches, those of a batch sleep side by side, their rows are stored in one statement,
and a batch ends in one call. Without `EFFECT_OF_MANY` each job's rows are stored by themselves. Some batches are under way
at once.
"""

import json
import os
import sys
import threading
import time
import uuid

import psycopg
from effect import SLEEP

# About as long as a notice.
CONTENT = json.dumps({"schema": "knot.notice/1", "body": "-" * 1_400})
URL, BATCH = sys.argv[1], int(sys.argv[2])


def work() -> None:
    name = uuid.uuid4()
    with psycopg.connect(URL, autocommit=True) as connection:
        connection.execute("set role knot_worker")
        while jobs := connection.execute(
            "select job_id, claim_token, notification_id from api.claim_jobs(%s, %s)", [name, BATCH]
        ).fetchall():
            ids, tokens, notices = (list(column) for column in zip(*jobs))
            if SLEEP:
                time.sleep(SLEEP)
            runs = [uuid.uuid4() for _ in jobs]
            if together := os.environ.get("EFFECT_OF_MANY"):
                connection.execute(together, {"runs": runs, "numbers": [str(job) for job in ids]})
            else:
                for run, job in zip(runs, ids):
                    connection.execute(os.environ["EFFECT"], {"run": run, "number": str(job)})
            begun = connection.execute(
                "select count(*) from api.begin_notices(%s, %s, %s, %s, %s)",
                [notices, ids, tokens, notices, [CONTENT] * len(jobs)],
            )
            ended = connection.execute(
                "select count(*) from api.finish_notices(%s, %s, %s, %s::uuid[])",
                [notices, ids, tokens, [None] * len(jobs)],
            )
            if (begun.fetchone()[0], ended.fetchone()[0]) != (len(jobs), len(jobs)):
                sys.exit("a job was lost on its way")


threads = [threading.Thread(target=work) for _ in range(2 if "EFFECT_OF_MANY" in os.environ else 8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
