"""What procrastinate's command line needs to install its schema."""

import os

import procrastinate

app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=os.environ["BENCH_URL"]))
