"""The rows that both commands store for the same vaults, by both pipelines."""

import json
import os
import re
import uuid

import server as servers
import worlds

IDENTIFIER = re.compile(r'"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"')
# When a row was written, and under which number of chance, is not the same in any two databases.
VOLATILE = (
    "id", "item_id", "catalogue_item_id", "recommendation_id", "created_at", "updated_at", "started_at", "finished_at",
    "imported_at", "embedded_at", "applied_at", "duration_ms", "chosen_at", "stored_at", "change", "timings",
)


def write_vaults(folder, repository, count):
    """The judged vaults over and over under other identifiers, with their candidates."""
    os.makedirs(folder)
    texts = [(world.name, json.dumps(world.fixture)) for world in worlds.load(repository)]
    for number in range(count):
        name, text = texts[number % len(texts)]
        text = IDENTIFIER.sub(lambda found: f'"{uuid.uuid5(uuid.NAMESPACE_URL, found[1] + str(number))}"', text)
        document = json.loads(text)
        document["name"] = f"{name}-{number:05d}"
        with open(os.path.join(folder, document["name"] + ".json"), "w") as file:
            json.dump(document, file, ensure_ascii=False)


def compare_all(comparison, repository, scratch, count):
    """Imports and chooses with each command in a database of its own, then compares every row of every table."""
    folder = os.path.join(scratch, "vaults")
    write_vaults(folder, repository, count)
    server = servers.Server(18)
    try:
        for pipeline in ("choice-of-three", "classic"):
            tables = []
            for side, command in enumerate(comparison.commands):
                database = f"side_{side}_{pipeline.replace('-', '_')}"
                server.psql(f"create database {database}", database="postgres")
                tables.append(stored(comparison, command, server, database, folder, pipeline))
            for table in sorted(set(tables[0]) | set(tables[1])):
                before, after = tables[0].get(table), tables[1].get(table)
                comparison.hold(f"rows, {pipeline}", f"table {table}", (0, before), (0, after))
    finally:
        server.remove()


def stored(comparison, command, server, database, folder, pipeline):
    """All rows of all tables, sorted, after a batch."""
    import calls

    trial = calls.Trial(command, comparison.environment)
    url = server.url().replace("/knot?", f"/{database}?")
    surroundings = {"DATABASE_URL": url, "KNOT_MODEL": None}
    for words in (
        ["migrate"],
        ["import", folder],
        ["run", "--all", "--pipeline", pipeline, "--as-of", "2026-11-21T12:00:00Z", "--request", "unchanged", "--json"],
    ):
        answer = trial.call(words, environment=surroundings, limit=1_800)
        # Some vaults have their milestone behind them at that moment: one class of failures, the same ones for both.
        if answer.code not in (0, 11, 65):
            failed = [line for line in answer.out.decode().splitlines() if "fail" in line or "what" in line][:3]
            raise SystemExit(f"{answer.line()}: {answer.code}: {answer.err.decode()[-500:]} {failed}")
    names = server.psql(
        "select table_schema || '.' || table_name from information_schema.tables"
        " where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
        database=database,
    )
    left_out = " - ".join(["to_jsonb(each)", *(f"'{name}'" for name in VOLATILE)])
    rows = {}
    for (name,) in names:
        lines = server.psql(f"select ({left_out})::text from {name} each order by 1", database=database)
        rows[name] = "\n".join("\x1f".join(line) for line in lines).encode()
    return rows
