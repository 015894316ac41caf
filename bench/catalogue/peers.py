"""Asks faiss, pgvector and Tantivy what a vault asks of a catalogue on the disk, over the same offers and with the same filters.

Started by `bench/catalogue/run-peers`. Everything has one thread, and what counts is processor time (of pgvector the
server's, beside ours), so that a busy machine bears on all alike. A bitmap of what a filter lets pass is given to faiss
for nothing; ours, pgvector and Tantivy find it themselves. Graphs of a million offers take long to build, so they can be
built before (`--build`) and kept for any number of comparisons (`--kept`).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import faiss
import numpy
import psycopg
import tantivy

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / ".build/release/knot-catalogue-bench"
DIMENSION = 384
DEPTH = 200


def read_offers(folder: Path) -> list[dict]:
    with open(folder / "offers.jsonl", "rb") as lines:
        return [json.loads(line) for line in lines]


def read_vectors(path: Path, count: int) -> numpy.ndarray:
    """The rows of the file of embeddings that the bench wrote beside the offers, little-endian 32-bit floats."""
    return numpy.fromfile(path, dtype="<f4").reshape(count, DIMENSION)


class Columns:
    """What a filter asks, a column each."""

    def __init__(self, offers: list[dict]) -> None:
        self.price = numpy.array([offer.get("price_cents") if offer.get("price_cents") is not None else -1 for offer in offers])
        self.usd = numpy.array([offer["currency"] == "USD" for offer in offers])
        towns = [(offer.get("location") or {}).get("city") for offer in offers]
        self.towns = numpy.array([town or "" for town in towns])
        self.days = numpy.array([offer.get("ships_in_days") if offer.get("ships_in_days") is not None else -1 for offer in offers])

    def allowed(self, asked: dict) -> numpy.ndarray:
        low, high = asked["low"], asked["high"]
        window = numpy.where(
            self.usd,
            (self.price >= low) & (self.price <= high),
            (self.price >= low * 3 // 4) & (self.price <= high * 3 // 4),
        )
        return (
            ((self.price < 0) | window)
            & ((self.towns == "") | (self.towns == asked["town"]))
            & ((self.days < 0) | (self.days <= asked["days"]))
        )


def own_cost(body) -> tuple[float, object]:
    """Processor milliseconds of this process, the median of three, and what came out."""
    times, result = [], None
    for _ in range(3):
        start = time.process_time()
        result = body()
        times.append((time.process_time() - start) * 1_000)
    return statistics.median(times), result


def recall(found: list[list[int]], truth: list[list[int]]) -> float:
    hits = sum(len(set(ours) & set(theirs)) for ours, theirs in zip(found, truth))
    return hits / max(1, sum(len(rows) for rows in truth))


def faiss_graph(vectors: numpy.ndarray, kept: Path | None) -> faiss.IndexHNSWFlat:
    """The graph that is kept, or a new one, which is kept if a folder is named."""
    place = kept / "faiss.hnsw" if kept else None
    if place and place.exists():
        return faiss.read_index(str(place))
    faiss.omp_set_num_threads(os.cpu_count() or 1)
    hnsw = faiss.IndexHNSWFlat(DIMENSION, 32, faiss.METRIC_INNER_PRODUCT)
    hnsw.hnsw.efConstruction = 100
    start = time.perf_counter()
    hnsw.add(vectors)
    print(f"faiss HNSW was built in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if place:
        faiss.write_index(hnsw, f"{place}.part")
        os.rename(f"{place}.part", place)
    return hnsw


def ask_faiss(vectors: numpy.ndarray, columns: Columns, questions: list[dict], graph: bool, kept: Path | None):
    faiss.omp_set_num_threads(1)
    flat = faiss.IndexFlatIP(DIMENSION)
    flat.add(vectors)
    rows = {"faiss flat": []}
    truths = []
    for asked in questions:
        selector = faiss.IDSelectorBitmap(numpy.packbits(columns.allowed(asked), bitorder="little"))
        wanted = numpy.array([phrase["vector"] for phrase in asked["phrases"]], dtype="f4")
        settings = faiss.SearchParameters(sel=selector)
        cost, (_, ids) = own_cost(lambda: flat.search(wanted, DEPTH, params=settings))
        truth = [[row for row in line if row >= 0] for line in ids.tolist()]
        truths.append(truth)
        rows["faiss flat"].append((cost, 1.0))
    yield "faiss flat", rows["faiss flat"], truths
    if not graph:
        return
    del flat
    hnsw = faiss_graph(vectors, kept)
    faiss.omp_set_num_threads(1)
    for effort in (200, 400, 800, 1600, 3200, 6400, 12800):
        measured = []
        for asked, truth in zip(questions, truths):
            selector = faiss.IDSelectorBitmap(numpy.packbits(columns.allowed(asked), bitorder="little"))
            wanted = numpy.array([phrase["vector"] for phrase in asked["phrases"]], dtype="f4")
            settings = faiss.SearchParametersHNSW(sel=selector, efSearch=effort)
            cost, (_, ids) = own_cost(lambda: hnsw.search(wanted, DEPTH, params=settings))
            measured.append((cost, recall([[row for row in line if row >= 0] for line in ids.tolist()], truth)))
        yield f"faiss HNSW ef {effort}", measured, None
        if statistics.mean(found for _, found in measured) >= 0.99:
            return


def ask_tantivy(folder: Path, offers: list[dict], questions: list[dict]):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="default", index_option="freq")
    for name in ("price", "days", "number"):
        builder.add_integer_field(name, stored=name == "number", indexed=True, fast=True)
    for name in ("currency", "town"):
        builder.add_text_field(name, stored=False, tokenizer_name="raw", index_option="basic", fast=True)
    schema = builder.build()
    place = folder / "tantivy"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    index = tantivy.Index(schema, path=str(place))
    writer = index.writer(heap_size=500_000_000, num_threads=1)
    for number, offer in enumerate(offers):
        writer.add_document(
            tantivy.Document(
                text=f"{offer['title']} {offer.get('description') or ''} {' '.join(offer.get('tags') or [])}",
                price=offer["price_cents"] if offer.get("price_cents") is not None else -1,
                days=offer["ships_in_days"] if offer.get("ships_in_days") is not None else -1,
                currency="USD" if offer["currency"] == "USD" else "other",
                town=(offer.get("location") or {}).get("city") or "none",
                number=number,
            )
        )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    must, should = tantivy.Occur.Must, tantivy.Occur.Should

    def both(*parts):
        return tantivy.Query.boolean_query([(must, part) for part in parts])

    def either(*parts):
        return tantivy.Query.boolean_query([(should, part) for part in parts])

    def numbers(name, low, high):
        return tantivy.Query.range_query(schema, name, tantivy.FieldType.Integer, low, high)

    def word(name, text):
        return tantivy.Query.term_query(schema, name, text)

    measured = []
    for asked in questions:
        low, high = asked["low"], asked["high"]
        allowed = tantivy.Query.const_score_query(
            both(
                either(
                    numbers("price", -1, -1),
                    both(word("currency", "USD"), numbers("price", low, high)),
                    both(word("currency", "other"), numbers("price", low * 3 // 4, high * 3 // 4)),
                ),
                either(word("town", "none"), word("town", asked["town"])),
                numbers("days", -1, asked["days"]),
            ),
            0.0,
        )

        def search():
            return [
                searcher.search(
                    both(either(*(word("text", part) for part in phrase["text"].split())), allowed), DEPTH, count=False
                ).hits
                for phrase in asked["phrases"]
            ]

        cost, found = own_cost(search)
        ours = [min(len(phrase["words"]), DEPTH) for phrase in asked["phrases"]]
        # A hint that both search the same: the number found is equal wherever fewer pass than are asked for.
        same = sum(len(hits) == count for hits, count in zip(found, ours)) / len(ours)
        measured.append((cost, same))
    yield "Tantivy", measured


class Server:
    """A PostgreSQL of its own, whose processes' time is read from the system."""

    def __init__(self, kept: Path | None) -> None:
        self.temporary = None if kept else tempfile.TemporaryDirectory()
        folder = kept.absolute() if kept else Path(self.temporary.name)
        # The server runs as another user.
        folder.chmod(0o755)
        self.environment = {**os.environ, "KNOT_DEV_DB": f"{folder}/server"}
        for name in ("DATABASE_URL", "PGHOST", "PGPORT", "PGDATABASE", "PGUSER"):
            self.environment.pop(name, None)
        self.command = ROOT / ".build/release/knot-recommend"
        subprocess.run([self.command, "dev-db", "start"], env=self.environment, check=True, capture_output=True)
        asked = subprocess.run([self.command, "dev-db", "url"], env=self.environment, check=True, capture_output=True, text=True)
        self.connection = psycopg.connect(asked.stdout.strip(), autocommit=True)

    def stop(self) -> None:
        self.connection.close()
        subprocess.run([self.command, "dev-db", "stop"], env=self.environment, capture_output=True)
        if self.temporary:
            self.temporary.cleanup()

    def cost(self) -> float:
        """Processor milliseconds of the one backend so far."""
        fields = Path(f"/proc/{self.connection.info.backend_pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return sum(int(field) for field in fields[11:13]) * 1_000 / os.sysconf("SC_CLK_TCK")


def fill(connection: psycopg.Connection, vectors: numpy.ndarray, columns: Columns) -> None:
    connection.execute("create extension if not exists vector")
    connection.execute("drop table if exists offers")
    connection.execute(
        f"create table offers (number integer, price bigint, usd boolean, town text, days integer, vector halfvec({DIMENSION}))"
    )
    with connection.cursor().copy("copy offers from stdin with (format binary)") as copy:
        copy.set_types(["int4", "int8", "bool", "text", "int4", "bytea"])
        head = struct.pack(">HH", DIMENSION, 0)
        for number, row in enumerate(vectors.astype(">f2")):
            copy.write_row(
                (number, int(columns.price[number]), bool(columns.usd[number]), str(columns.towns[number]),
                 int(columns.days[number]), head + row.tobytes())
            )
    connection.execute("vacuum analyze offers")


def build_graph(connection: psycopg.Connection) -> None:
    connection.execute("set maintenance_work_mem = '4GB'")
    start = time.perf_counter()
    connection.execute("create index if not exists offers_near on offers using hnsw (vector halfvec_ip_ops) with (m = 16, ef_construction = 64)")
    print(f"pgvector's HNSW was there after {time.perf_counter() - start:.0f} s", file=sys.stderr)


def is_filled(connection: psycopg.Connection, count: int) -> bool:
    if connection.execute("select to_regclass('offers')").fetchone()[0] is None:
        return False
    return connection.execute("select count(*) from offers").fetchone()[0] == count


def ask_pgvector(
    vectors: numpy.ndarray, columns: Columns, questions: list[dict], truths, graph: bool, kept: Path | None
):
    server = Server(kept)
    try:
        connection = server.connection
        connection.execute("set max_parallel_workers_per_gather = 0")
        if not is_filled(connection, len(vectors)):
            fill(connection, vectors, columns)
        where = (
            "(price < 0 or case when usd then price between %(low)s and %(high)s"
            " else price between %(low)s * 3 / 4 and %(high)s * 3 / 4 end)"
            " and (town = '' or town = %(town)s) and days <= %(days)s"
        )

        def ask(asked):
            found = []
            for phrase in asked["phrases"]:
                binds = {**{name: asked[name] for name in ("low", "high", "town", "days")}, "vector": str(phrase["vector"])}
                rows = connection.execute(
                    f"select number from offers where {where} order by vector <#> %(vector)s::halfvec limit {DEPTH}", binds
                )
                found.append([row[0] for row in rows])
            return found

        def measure(some):
            measured = []
            for asked, truth in list(zip(questions, truths))[:some]:
                start = server.cost()
                found = ask(asked)
                measured.append((server.cost() - start, recall(found, truth)))
            return measured

        # A graph that is kept must not answer for the scan.
        connection.execute("set enable_indexscan = off")
        yield "pgvector exact", measure(4)
        if not graph:
            return
        build_graph(connection)
        connection.execute("set enable_indexscan = on")
        # What was planned as a scan would stay one: the driver prepares what it asks often.
        connection.execute("discard plans")
        connection.execute("set enable_seqscan = off")
        connection.execute("set hnsw.iterative_scan = relaxed_order")
        connection.execute("set hnsw.max_scan_tuples = 1000000")
        # The pages of a graph that was built before are not in memory yet.
        measure(1)
        for effort in (100, 400, 1000):
            connection.execute(f"set hnsw.ef_search = {effort}")
            yield f"pgvector HNSW ef {effort}", measure(8)
    finally:
        server.stop()


def build(vectors: numpy.ndarray, columns: Columns, kept: Path) -> None:
    """Builds what is not kept yet of both graphs."""
    faiss_graph(vectors, kept)
    server = Server(kept)
    try:
        if not is_filled(server.connection, len(vectors)):
            fill(server.connection, vectors, columns)
        build_graph(server.connection)
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--offers", type=int, required=True)
    parser.add_argument("--vaults", type=int, default=12)
    parser.add_argument("--no-graphs", action="store_true", help="leave out HNSW, which takes minutes to build")
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--kept", type=Path, help="a folder in which graphs are kept, for another comparison")
    parser.add_argument("--build", action="store_true", help="build the graphs that are to be kept, and end")
    arguments = parser.parse_args()
    folder, kept = arguments.folder, arguments.kept
    if kept:
        kept.mkdir(exist_ok=True)
    if arguments.build:
        if not kept:
            parser.error("--build needs --kept FOLDER")
        build(read_vectors(folder / "vectors.f32", arguments.offers), Columns(read_offers(folder)), kept)
        return
    asked = subprocess.run(
        [BENCH, "questions", folder / "catalogue", str(arguments.vaults)], check=True, capture_output=True, text=True
    )
    questions = [json.loads(line) for line in asked.stdout.splitlines()]
    offers = read_offers(folder)
    columns = Columns(offers)
    shares = [float(columns.allowed(question).mean()) for question in questions]

    def report(name: str, part: str, measured: list[tuple[float, float]], ours: str) -> None:
        costs = [cost for cost, _ in measured]
        own = [question[ours] for question in questions[: len(measured)]]
        print(
            json.dumps(
                {
                    "offers": arguments.offers, "vaults": len(measured), "part": part, "name": name,
                    "cpu_ms": round(statistics.median(costs), 2), "ours_cpu_ms": round(statistics.median(own), 2),
                    "ratio": round(statistics.median(cost / mine for cost, mine in zip(costs, own)), 2),
                    "recall" if part == "meaning" else "same_count": round(statistics.mean(found for _, found in measured), 4),
                    "allowed_share": round(statistics.median(shares), 4),
                }
            ),
            flush=True,
        )

    for name, measured in ask_tantivy(folder, offers, questions):
        report(name, "words", measured, "words_cpu_ms")
    del offers
    vectors = read_vectors(folder / "vectors.f32", arguments.offers)
    truths = None
    for name, measured, truth in ask_faiss(vectors, columns, questions, not arguments.no_graphs, kept):
        if truth is not None:
            truths = truth
            ours = statistics.mean(
                recall([phrase["near"] for phrase in question["phrases"]], rows) for question, rows in zip(questions, truth)
            )
            report("ours", "meaning", [(question["meaning_cpu_ms"], ours) for question in questions], "meaning_cpu_ms")
        report(name, "meaning", measured, "meaning_cpu_ms")
    if not arguments.no_postgres:
        for name, measured in ask_pgvector(vectors, columns, questions, truths, not arguments.no_graphs, kept):
            report(name, "meaning", measured, "meaning_cpu_ms")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    print(f"the peers' process had {most} MiB at most", file=sys.stderr)


if __name__ == "__main__":
    main()
