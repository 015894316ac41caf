"""Measures the encoder beside onnxruntime and torch with the same weights, round by round in one run.

Every contender gets texts and gives vectors of length 1: tokenizing is part of the work. The peers sort a workload by
length and pad within a batch, as sentence-transformers does; ours sees the texts as they come. Each runs on as many
threads as are being measured, and on one core a thread where the system lets it.

    peers.py CANDIDATE MODEL RESULTS [ROUNDS]
"""

import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

CANDIDATE, MODEL, RESULTS = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 7
WORK = Path(os.environ.get("KNOT_BENCH_WORK", ".build/bench-encoder"))
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

warnings.simplefilter("ignore")

import numpy as np  # noqa: E402  (the number of threads is set first)
import onnxruntime  # noqa: E402
import tokenizers  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402

BATCH = 32
CONFIG = json.loads((MODEL / "config.json").read_text())
HIDDEN, HEADS = CONFIG["hidden_size"], CONFIG["num_attention_heads"]


def workloads():
    """Short hints of at most 12 tokens, and product texts of a title and a few sentences."""
    rng = random.Random(7)
    who = "she he they mum dad grandma".split()
    wants = "wants misses loves needs mentioned wishes".split()
    what = ["warm gloves", "a quiet weekend", "new running shoes", "pottery lessons", "a cast iron pan", "jazz records",
            "better coffee", "a garden bench", "an old map", "a telescope", "fresh flowers", "a hiking trip"]
    why = ["", "", " for spring", " so much", " before winter", " at home", " some day", " again"]
    hints = [f"{rng.choice(who)} {rng.choice(wants)} {rng.choice(what)}{rng.choice(why)}" for _ in range(160)]
    sentences = ["Washed linen with deep pockets and a cross back that does not pull at the neck.",
                 "Ten inches, smooth inside, made for a lifetime of breakfasts.",
                 "Each piece is thrown by hand in a small studio, so no two are quite alike.",
                 "Comes in a gift box with a card; ships within three days.",
                 "Suitable for beginners, all tools and materials are part of the price.",
                 "The leather is tanned with oak bark and grows more beautiful with the years.",
                 "Waterproof to fifty metres, with a battery that lasts two weeks."]
    titles = ["Linen Apron", "Cast-Iron Skillet", "Stoneware Mug", "Pottery Evening", "Leather Notebook", "Trail Watch"]
    products = [f"{rng.choice(titles)}. " + " ".join(rng.sample(sentences, rng.randrange(2, 5))) for _ in range(64)]
    return {"hints": hints, "products": products}


TEXTS = workloads()
FAST = tokenizers.Tokenizer.from_file(str(MODEL / "tokenizer.json"))
FAST.enable_padding(pad_id=0, pad_token="[PAD]")
FAST.enable_truncation(256)


def in_batches(texts, run):
    """Vectors of all texts by a function from padded ids and their mask to hidden states."""
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    vectors = [None] * len(texts)
    for start in range(0, len(order), BATCH):
        places = order[start:start + BATCH]
        encodings = FAST.encode_batch([texts[place] for place in places])
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        pooled = run(ids, mask)
        for place, vector in zip(places, pooled):
            vectors[place] = vector
    return np.array(vectors)


class Ours:
    """The candidate in a process of its own, spoken to by lines."""

    def __init__(self, precision, threads, workload_file):
        self.name = f"ours {precision}"
        self.process = subprocess.Popen([CANDIDATE, str(MODEL), workload_file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.load_seconds = [float(self.ask(f"load {precision} {threads}")) for _ in range(9)]

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self):
        return self.process.stdout.readline().strip()

    def ask(self, line):
        self.send(line)
        return self.receive()

    def seconds(self, name):
        return float(self.ask(f"encode {name} {BATCH}"))

    def vector(self, name, place):
        return np.array([float(number) for number in self.ask(f"vector {name} {place}").split()])

    def memory(self):
        return [int(number) for number in self.ask("memory").split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Peer:
    def seconds(self, name):
        start = time.perf_counter()
        in_batches(TEXTS[name], self.run)
        return time.perf_counter() - start

    def vector(self, name, place):
        return in_batches([TEXTS[name][place]], self.run)[0]

    def close(self):
        pass


class Torch(Peer):
    def __init__(self, threads, in_bytes):
        self.name = "torch int8 (dynamic)" if in_bytes else "torch f32"
        torch.set_num_threads(threads)
        self.model = transformers.BertModel.from_pretrained(MODEL, add_pooling_layer=False).eval()
        if in_bytes:
            self.model = torch.ao.quantization.quantize_dynamic(self.model, {torch.nn.Linear}, dtype=torch.qint8)

    def run(self, ids, mask):
        with torch.inference_mode():
            mask = torch.from_numpy(mask)
            states = self.model(input_ids=torch.from_numpy(ids), attention_mask=mask).last_hidden_state
            weights = mask.unsqueeze(-1).float()
            pooled = (states * weights).sum(1) / weights.sum(1)
            return torch.nn.functional.normalize(pooled).numpy()


class Onnx(Peer):
    def __init__(self, threads, in_bytes):
        self.name = "onnxruntime int8 (dynamic)" if in_bytes else "onnxruntime f32 (fused)"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        path = WORK / ("model-int8.onnx" if in_bytes else "model-fused.onnx")
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(self, ids, mask):
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        names = {item.name for item in self.session.get_inputs()}
        inputs = {name: value.astype(np.int64) for name, value in inputs.items() if name in names}
        states = self.session.run(None, inputs)[0]
        pooled = (states * mask[:, :, None]).sum(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def export():
    """The model as ONNX, fused by onnxruntime's own optimizer, and again with weights in bytes."""
    fused, small = WORK / "model-fused.onnx", WORK / "model-int8.onnx"
    if small.exists():
        return
    WORK.mkdir(parents=True, exist_ok=True)
    model = transformers.BertModel.from_pretrained(MODEL, add_pooling_layer=False, attn_implementation="eager").eval()

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            # Written as the optimizer knows attention; the mask adds nothing for a token, far below nothing for padding.
            wide = (1.0 - attention_mask.unsqueeze(1).unsqueeze(2).to(torch.float32)) * -10000.0
            states = self.model.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
            for layer in self.model.encoder.layer:
                attention = layer.attention.self
                query, key, value = (
                    part.view(part.size(0), part.size(1), HEADS, HIDDEN // HEADS).permute(0, 2, 1, 3)
                    for part in (attention.query(states), attention.key(states), attention.value(states)))
                scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(HIDDEN // HEADS)
                mixed = torch.matmul(torch.softmax(scores + wide, dim=-1), value).permute(0, 2, 1, 3).contiguous()
                states = layer.attention.output(mixed.view(mixed.size(0), mixed.size(1), HIDDEN), states)
                states = layer.output(layer.intermediate(states), states)
            return states

    sample = torch.ones((2, 8), dtype=torch.int64)
    axes = {name: {0: "texts", 1: "tokens"} for name in ("input_ids", "attention_mask", "token_type_ids", "states")}
    plain = WORK / "model.onnx"
    torch.onnx.export(States(), (sample, sample, sample * 0), str(plain), dynamo=False, opset_version=17,
                      input_names=["input_ids", "attention_mask", "token_type_ids"], output_names=["states"], dynamic_axes=axes)
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers import optimizer
    better = optimizer.optimize_model(str(plain), model_type="bert", num_heads=HEADS, hidden_size=HIDDEN)
    print("fused:", {name: count for name, count in better.get_fused_operator_statistics().items() if count})
    better.save_model_to_file(str(fused))
    quantize_dynamic(str(fused), str(small), weight_type=QuantType.QInt8, per_channel=True,
                     extra_options={"DefaultTensorType": 1})


def scaling(file):
    """Ours on two threads against one, in turn, and beside it what the machine gives to two processes at once.

    Two cores that share a clock, a cache or a host do not have twice what one has alone, whatever the work is: two
    processes that share nothing show how much they have.
    """
    rows = []
    for precision in ("int8", "f32"):
        one, two = Ours(precision, 1, file), Ours(precision, 2, file)
        pair = [Ours(precision, 1, file) for _ in range(2)]
        ratios = {name: ([], []) for name in TEXTS}
        for _ in range(3 * ROUNDS):
            for name in TEXTS:
                before = one.seconds(name)
                both = two.seconds(name)
                for process in pair:
                    process.send(f"encode {name} {BATCH}")
                beside = max(float(process.receive()) for process in pair)
                alone = (before + one.seconds(name)) / 2
                ratios[name][0].append(alone / both)
                ratios[name][1].append(2 * alone / beside)
                print(f"ours {precision}, {name}: {alone / both:.2f} times on two threads, {2 * alone / beside:.2f} by two processes", file=sys.stderr, flush=True)
        for name, (threads, processes) in ratios.items():
            rows.append({"workload": name, "contender": "ours " + precision, "threads": "2 against 1",
                         "times_faster": round(statistics.median(threads), 3), "two_processes": round(statistics.median(processes), 3),
                         "share": round(statistics.median(a / b for a, b in zip(threads, processes)), 3)})
        for process in (one, two, *pair):
            process.close()
    return rows


def main():
    export()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(TEXTS, file)
        file.flush()
        rows = []
        for threads in (1, 2):
            contenders = [Ours("int8", threads, file.name), Ours("f32", threads, file.name)]
            contenders += [Onnx(threads, False), Onnx(threads, True), Torch(threads, False), Torch(threads, True)]
            truth = contenders[2]
            for contender in contenders:
                cosines = [float(contender.vector(name, place) @ truth.vector(name, place)) for name in TEXTS for place in range(0, 64, 9)]
                # A check that all do the same work; how far bytes may stray is each contender's own affair.
                assert min(cosines) > 0.8, (contender.name, min(cosines))
                contender.agreement = min(cosines)
            times = {(contender.name, name): [] for contender in contenders for name in TEXTS}
            for _ in range(ROUNDS):
                for contender in contenders:
                    for name in TEXTS:
                        times[contender.name, name].append(contender.seconds(name))
                        print(f"{contender.name}, {threads} threads, {name}: {times[contender.name, name][-1]:.3f} s", file=sys.stderr, flush=True)
            for contender in contenders:
                for name in TEXTS:
                    taken = times[contender.name, name]
                    each = sorted(second / len(TEXTS[name]) * 1000 for second in taken)
                    row = {"workload": name, "contender": contender.name, "threads": threads, "texts": len(TEXTS[name]),
                           "batch": BATCH, "ms_per_text": round(statistics.median(each), 4), "min": round(each[0], 4),
                           "max": round(each[-1], 4), "least_cosine_with_onnxruntime_f32": round(contender.agreement, 6)}
                    for ours in contenders[:2]:
                        ratios = [peer / own for peer, own in zip(taken, times[ours.name, name])]
                        row["times_slower_than_" + ours.name.split()[1]] = round(statistics.median(ratios), 3)
                    rows.append(row)
            for contender in contenders[:2]:
                now, most = contender.memory()
                loads = [round(second * 1000, 2) for second in contender.load_seconds]
                rows.append({"workload": "load", "contender": contender.name, "threads": threads, "ms": statistics.median(loads),
                             "min": min(loads), "max": max(loads), "resident_mb": round(now / 1e6, 1), "most_resident_mb": round(most / 1e6, 1)})
            for contender in contenders:
                contender.close()
        rows += scaling(file.name)
    report(rows)


def report(rows):
    RESULTS.mkdir(parents=True, exist_ok=True)
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    versions = {module.__name__: module.__version__ for module in (onnxruntime, torch, transformers, tokenizers, np)}
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    with open(RESULTS / "encoder.jsonl", "w") as file:
        file.write(json.dumps({"workload": "machine", "cpu": cpu, "cores": os.cpu_count(), "commit": commit, "rounds": ROUNDS, "versions": versions}) + "\n")
        for row in rows:
            file.write(json.dumps(row) + "\n")

    def find(name, contender, threads):
        return next(row for row in rows if (row["workload"], row["contender"], row["threads"]) == (name, contender, threads))

    lines = ["# Texts to vectors", "", f"{cpu}, {os.cpu_count()} cores. Peers: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".",
             f"Batches of {BATCH}, tokenizing included, {ROUNDS} rounds in turn; medians of rounds and of ratios within rounds.", "", "## Targets", "",
             "| workload | target | measured | verdict |", "|---|---|---|---|"]

    def verdict(what, target, value, unit, at_least=True):
        met = value >= target if at_least else value <= target
        sign = "≥" if at_least else "≤"
        lines.append(f"| {what} | {sign} {target:g}{unit} | {value:.2f}{unit} | {'met' if met else f'missed by {abs(1 - value / target):.1%}'} |")

    for name, in_bytes, single in (("hints", 3.0, 1.2), ("products", 2.0, 1.2)):
        for ours, target in (("int8", in_bytes), ("f32", single)):
            for peer in ("onnxruntime f32 (fused)", "torch f32"):
                verdict(f"{name}, 1 thread, {ours} against {peer}", target, find(name, peer, 1)["times_slower_than_" + ours], "×")
    for ours in ("ours int8", "ours f32"):
        for name in TEXTS:
            verdict(f"{name}, {ours}, 2 threads against 1", 1.8, find(name, ours, "2 against 1")["times_faster"], "×")
        verdict(f"loading, {ours}, 1 thread", 50, find("load", ours, 1)["ms"], " ms", at_least=False)
        verdict(f"resident memory after all, {ours}", 150, find("load", ours, 1)["most_resident_mb"], " MB", at_least=False)
    lines += ["", "## Every contender", "", "| workload | contender | threads | ms a text | min | max | against ours int8 | against ours f32 | least cosine with onnxruntime f32 |", "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        if "ms_per_text" in row:
            lines.append(f"| {row['workload']} | {row['contender']} | {row['threads']} | {row['ms_per_text']:.3f} | {row['min']:.3f} | {row['max']:.3f} | {row['times_slower_than_int8']:.2f}× | {row['times_slower_than_f32']:.2f}× | {row['least_cosine_with_onnxruntime_f32']:.5f} |")
    lines += ["", "## Two threads against one", "", "In turn within each of the rounds, " + str(3 * ROUNDS) + " of them; beside it two processes of one thread each at the same time against one of",
              "them alone, which share nothing but the machine: more than they get is not to be had here.", "",
              "| workload | contender | two threads | two processes | share of these |", "|---|---|---|---|---|"]
    for row in rows:
        if "times_faster" in row:
            lines.append(f"| {row['workload']} | {row['contender']} | {row['times_faster']:.2f}× | {row['two_processes']:.2f}× | {row['share']:.0%} |")
    lines += ["", "## Loading and memory", "", "| contender | threads | median ms | min | max | resident MB | most |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        if row["workload"] == "load":
            lines.append(f"| {row['contender']} | {row['threads']} | {row['ms']:.1f} | {row['min']:.1f} | {row['max']:.1f} | {row['resident_mb']} | {row['most_resident_mb']} |")
    (RESULTS / "encoder.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


main()
