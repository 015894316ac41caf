"""Bad models: refused by name, and never the ground of a complete set."""

import json
import os
import shutil
import struct

PARTS = ("config.json", "vocab.txt", "tokenizer.json", "model.safetensors")


def default_model(trial):
    """The folder of the model that set-up unpacked, or None."""
    home = os.environ.get("HOME", "")
    for cache in (os.environ.get("KNOT_CACHE"), home + "/.cache/knot-recommend", "/var/cache/knot-recommend"):
        if cache and os.path.isdir(cache):
            for name in sorted(os.listdir(cache)):
                if os.path.exists(os.path.join(cache, name, "model.safetensors")):
                    return os.path.join(cache, name)
    return None


def broken(weights):
    """Files of weights that must be refused, each with why."""
    length = struct.unpack("<Q", weights[:8])[0]
    header = json.loads(weights[8 : 8 + length])
    # Nothing reads the pooler, so nothing can come of what is wrong in it.
    names = sorted(name for name in header if name != "__metadata__" and not name.startswith("pooler."))
    start = 8 + length

    def with_header(changed):
        text = json.dumps(changed).encode()
        return struct.pack("<Q", len(text)) + text + weights[start:]

    def filled(name, value):
        first, last = header[name]["data_offsets"]
        size = {"F32": 4, "F16": 2, "BF16": 2}[header[name]["dtype"]]
        number = struct.pack("<f", value) if size == 4 else struct.pack("<e", value)
        return weights[: start + first] + number * ((last - first) // size) + weights[start + last :]

    yield "empty", b""
    yield "only a length", weights[:8]
    yield "cut in the header", weights[: 8 + length // 2]
    yield "cut in the numbers", weights[: len(weights) // 2]
    yield "one byte short", weights[:-1]
    yield "a length past the end", struct.pack("<Q", 2**62) + weights[8:]
    yield "a header that is not JSON", weights[:8] + b"x" * length + weights[start:]
    for name in names[:: max(1, len(names) // 6)]:
        yield f"without {name}", with_header({key: value for key, value in header.items() if key != name})
        yield f"{name} of another shape", with_header(dict(header, **{name: dict(header[name], shape=[1, 1])}))
        yield f"{name} past the end", with_header(dict(header, **{name: dict(header[name], data_offsets=[0, 2**50])}))
        yield f"{name} is not a number", filled(name, float("nan"))
        yield f"{name} is infinite", filled(name, float("inf"))
        if header[name]["dtype"] == "F32":
            yield f"{name} is huge", filled(name, 3e38)
    zero = weights[:start] + bytes(len(weights) - start)
    yield "all weights are nothing", zero


def try_all(trial, world, folder):
    """Runs one vault with each bad model."""
    good = default_model(trial)
    if good is None:
        print("  skipped: there is no model here to break; make setup gets it")
        return
    bad = os.path.join(folder, "model")
    os.makedirs(bad, exist_ok=True)
    for part in PARTS:
        if os.path.exists(os.path.join(good, part)):
            shutil.copy(os.path.join(good, part), bad)
    weights = open(os.path.join(good, "model.safetensors"), "rb").read()
    for why, content in broken(weights):
        open(os.path.join(bad, "model.safetensors"), "wb").write(content)
        refuse(trial, world, bad, why)
    open(os.path.join(bad, "model.safetensors"), "wb").write(weights)
    for part in PARTS:
        path = os.path.join(bad, part)
        if part == "tokenizer.json" or not os.path.exists(path):
            continue
        content = open(path, "rb").read()
        for why, changed in (("empty", b""), ("cut", content[: len(content) // 3]), ("noise", b"\xff\xfe\x00" * 100)):
            open(path, "wb").write(changed)
            refuse(trial, world, bad, f"{part} is {why}")
        os.unlink(path)
        # Without its list of pieces a model goes by the tokenizer's own document, which has them too.
        if part != "vocab.txt" or not os.path.exists(os.path.join(bad, "tokenizer.json")):
            refuse(trial, world, bad, f"{part} is missing")
        open(path, "wb").write(content)


def refuse(trial, world, bad, why):
    """A bad model ends the run with an error that names it."""
    answer = trial.call(world.words(world.path, "rules", ["--model", bad]))
    trial.judge("bad models", answer, {65, 66, 69, 78})
    named = bad.encode() in answer.err
    trial.expect("bad models", answer, named and answer.code != 0, f"{why}: the model is not named or not refused")
