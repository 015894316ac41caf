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


async def with_aiohttp(urls, count, at_once):
    import aiohttp

    limits = aiohttp.ClientTimeout(total=10, connect=2, sock_read=5)
    connector = aiohttp.TCPConnector(limit=at_once or len(urls))
    async with aiohttp.ClientSession(timeout=limits, connector=connector) as session:

        async def one(url):
            async with session.get(url, allow_redirects=False) as response:
                body = await response.content.read(LIMIT + 1) if response.content_length is None else await response.read()
                return response.status == 200 and len(body) <= LIMIT

        return await measured("aiohttp", one, urls, count, at_once)


async def with_httpx(urls, count, at_once):
    import httpx

    most = at_once or len(urls)
    limits = httpx.Limits(max_connections=most, max_keepalive_connections=most)
    timeout = httpx.Timeout(10, connect=2, read=5)
    async with httpx.AsyncClient(limits=limits, timeout=timeout, follow_redirects=False, trust_env=False) as client:

        async def one(url):
            response = await client.get(url)
            return response.status_code == 200 and len(response.content) <= LIMIT

        return await measured("httpx", one, urls, count, at_once)


async def measured(name, one, urls, count, at_once):
    async def worker(first):
        answered = 0
        for _ in range(first, count, at_once):
            answered += await one(urls[0])
        return answered

    answered, before, start = 0, processor_time(), time.monotonic()
    if at_once:
        answered = sum(await asyncio.gather(*(worker(number) for number in range(at_once))))
    else:
        for _ in range(count):
            answered += sum(await asyncio.gather(*(one(url) for url in urls)))
    taken, processor = time.monotonic() - start, processor_time() - before
    if not at_once:
        return {
            "client": name,
            "runs": count,
            "services": len(urls),
            "answered": answered,
            "cpu_us_per_call": round(processor / count / len(urls) * 1e6, 1),
            "ms_per_run": round(taken / count * 1e3, 1),
        }
    return {
        "client": name,
        "calls": count,
        "at_once": at_once,
        "answered": answered,
        "cpu_us_per_call": round(processor / count * 1e6, 1),
        "calls_per_s": round(count / taken, 1),
    }


if __name__ == "__main__":
    # So many calls at once, or "runs": each asks all of the URLs at once.
    name, urls, count = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
    at_once = 0 if sys.argv[4] == "runs" else int(sys.argv[4])
    client = {"aiohttp": with_aiohttp, "httpx": with_httpx}[name]
    print(json.dumps(asyncio.run(client(urls, count, at_once))))
