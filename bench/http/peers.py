"""The same calls by aiohttp and httpx: keep-alive, so many at once, limits of time and of size, the body read whole."""

import asyncio
import json
import resource
import sys
import time

LIMIT = 2 << 20


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def with_aiohttp(url, count, at_once):
    import aiohttp

    limits = aiohttp.ClientTimeout(total=10, connect=2, sock_read=5)
    connector = aiohttp.TCPConnector(limit=at_once)
    async with aiohttp.ClientSession(timeout=limits, connector=connector) as session:

        async def one():
            async with session.get(url, allow_redirects=False) as response:
                body = await response.content.read(LIMIT + 1) if response.content_length is None else await response.read()
                return response.status == 200 and len(body) <= LIMIT

        return await measured("aiohttp", one, count, at_once)


async def with_httpx(url, count, at_once):
    import httpx

    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    timeout = httpx.Timeout(10, connect=2, read=5)
    async with httpx.AsyncClient(limits=limits, timeout=timeout, follow_redirects=False, trust_env=False) as client:

        async def one():
            response = await client.get(url)
            return response.status_code == 200 and len(response.content) <= LIMIT

        return await measured("httpx", one, count, at_once)


async def measured(name, one, count, at_once):
    async def worker(first):
        answered = 0
        for _ in range(first, count, at_once):
            answered += await one()
        return answered

    before, start = processor_time(), time.monotonic()
    answered = sum(await asyncio.gather(*(worker(number) for number in range(at_once))))
    taken, processor = time.monotonic() - start, processor_time() - before
    return {
        "client": name,
        "calls": count,
        "at_once": at_once,
        "answered": answered,
        "cpu_us_per_call": round(processor / count * 1e6, 1),
        "calls_per_s": round(count / taken, 1),
    }


if __name__ == "__main__":
    name, url, count, at_once = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    client = {"aiohttp": with_aiohttp, "httpx": with_httpx}[name]
    print(json.dumps(asyncio.run(client(url, count, at_once))))
