"""One process of pgqueuer that works the queue off and ends: URL BATCH."""

import asyncio
import sys

import psycopg
import psycopg_pool
from effect import remind
from pgqueuer import PgQueuer
from pgqueuer.db import PsycopgDriver
from pgqueuer.types import QueueExecutionMode

URL, BATCH = sys.argv[1], int(sys.argv[2])


async def main() -> None:
    effects = psycopg_pool.AsyncConnectionPool(URL, min_size=2, max_size=16, open=False, kwargs={"autocommit": True})
    async with effects, await psycopg.AsyncConnection.connect(URL, autocommit=True) as connection:
        queuer = PgQueuer(PsycopgDriver(connection))

        @queuer.entrypoint("remind")
        async def task(job) -> None:
            await remind(effects, int(job.payload))

        await queuer.run(batch_size=BATCH, mode=QueueExecutionMode.drain)


asyncio.run(main())
