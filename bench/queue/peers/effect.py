"""What one job of a peer does: the rows that a reminder's set has, in one statement, which is one transaction."""

import asyncio
import os
import uuid

SLEEP = float(os.environ.get("SLEEP_MS", "0")) / 1e3


async def remind(pool, number: int) -> None:
    if SLEEP:
        await asyncio.sleep(SLEEP)
    async with pool.connection() as connection:
        # The statement is made by `worker.py` from the columns that our own sets have.
        await connection.execute(os.environ["EFFECT"], {"run": uuid.uuid4(), "number": str(number)})
