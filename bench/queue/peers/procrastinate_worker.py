"""One process of procrastinate that works the queue off and ends: URL CONCURRENCY."""

import asyncio
import sys

import procrastinate
import psycopg_pool
from effect import remind

URL, CONCURRENCY = sys.argv[1], int(sys.argv[2])
connector = procrastinate.PsycopgConnector(conninfo=URL, min_size=2, max_size=CONCURRENCY + 2)
app = procrastinate.App(connector=connector)
effects = psycopg_pool.AsyncConnectionPool(URL, min_size=2, max_size=CONCURRENCY, open=False, kwargs={"autocommit": True})


@app.task(name="remind")
async def task(number: int) -> None:
    await remind(effects, number)


async def main() -> None:
    async with effects, app.open_async():
        await app.run_worker_async(concurrency=CONCURRENCY, wait=False, install_signal_handlers=False)


asyncio.run(main())
