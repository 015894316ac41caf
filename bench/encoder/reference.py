"""Writes fixtures/encoder: texts of all lengths, languages and odd characters, with a reference's tokens and vectors.

Tokens are those of the `tokenizers` package; vectors are worked out here from the same weights in double precision, by
the published definition of BERT (sentence-transformers agrees to 1e-7). Nothing is padded; texts end at the model's own
limit of tokens.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy==2.4.6 safetensors==0.8.0 scipy tokenizers==0.23.3
    /tmp/venv/bin/python bench/encoder/reference.py MODEL_DIRECTORY

    texts.jsonl     a text, its tokens with those at start and end, whether it was cut, and for each way of reading a text
                    a digest of its tokens (FNV-1a over their numbers in four bytes) by a vocabulary of single characters
    characters.txt  that vocabulary
    vectors.f16     384 numbers a text in half precision, which changes cosines by at most 1e-7
"""

import json
import math
import random
import struct
import sys
from pathlib import Path

import numpy as np
from scipy.special import erf
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

ROOT = Path(__file__).resolve().parents[2]
MODEL = Path(sys.argv[1])
TARGET = ROOT / "fixtures/encoder"
SEED = 20261121
COUNT = 1200

WORDS = {
    "en": "she would love warm gloves for the allotment because her hands are always freezing in spring",
    "de": "für später Grüße Straße Fußball Gärtnerei Übergröße Schlüssel möchte gern wärmere Handschuhe ÄÖÜß",
    "fr": "elle rêve d'un château près de la forêt où l'été ça sent très bon cœur œuvre naïve déjà-vu",
    "es": "mañana quisiera aprender a cocinar paella ¿dónde? ¡qué ilusión! pingüino corazón niño años",
    "pt": "ela gosta de viagens e de pão com manteiga coração avó maçã açúcar não são João",
    "it": "perché no? un caffè al giorno è più che abbastanza però così città virtù",
    "pl": "żółte rękawiczki są ciepłe ponieważ zimą jest źle wąż łódź świeca pięść ćma",
    "cs": "příliš žluťoučký kůň úpěl ďábelské ódy šťastný děti řeka",
    "hu": "árvíztűrő tükörfúrógép szőlő hűvös őszi reggelek",
    "tr": "İstanbul'da ılık bir akşam çay içmek ister IĞDIR şişe ğ ü ö",
    "vi": "cô ấy thích những món quà thủ công từ đất nước mình và cà phê sữa đá",
    "sv": "hon älskar att vandra på fjället över sjöar ångström smörgås",
    "ru": "она давно мечтает о тёплых перчатках для сада Ёлка объём йод",
    "uk": "її подарунок має бути корисним і теплим ґанок їжак",
    "el": "θέλει ζεστά γάντια για τον κήπο ΤΟΝ ΚΑΙΡΟ ΟΔΥΣΣΕΎΣ ΐ ΰ",
    "he": "היא אוהבת לטייל בהרים שָׁלוֹם בְּרֵאשִׁית",
    "ar": "تحب القهوة العربية كثيرا مَكْتَبَةٌ ١٢٣٤ ـــ",
    "fa": "او کتاب‌های شعر را دوست دارد می‌خواهم",
    "hi": "उसे बागवानी के लिए गर्म दस्ताने चाहिए हिन्दी क़िला ज़रूर",
    "bn": "সে বাগান করতে ভালোবাসে কো কৌ ড়",
    "ta": "அவள் தோட்டத்தை விரும்புகிறாள் கொ கோ கௌ",
    "th": "เธอชอบดื่มชาในตอนเช้า น้ำ กำลัง",
    "my": "သူမသည် ဥယျာဉ်ကို ချစ်သည် ဦး",
    "ko": "그녀는 따뜻한 장갑을 원해요 한국어 뷁 각 갂 가",
    "ja": "彼女は庭仕事用の暖かい手袋が欲しい がぎぐ ガギグ ﾊﾟﾋﾟ ヴ",
    "zh": "她想要一副暖和的园艺手套，因为她的手总是很冷。龜 金 車 﨑 𠀀 𪜀 𫝀 𫠠",
    "am": "እሷ የአትክልት ጓንት ትፈልጋለች",
    "ka": "მას უყვარს ბაღი ᲛᲐᲡ",
    "hy": "նա սիրում է այգին ԱՅԳԻ և",
    "fun": "🎁 🧤🪴 👩‍🌾 👨‍👩‍👧‍👦 🇬🇧 ❤️ ☕️ 1️⃣ :-) ^_^ ¯\\_(ツ)_/¯",
}
PIECES = [
    "", " ", "\n", "\t \r\n", "\x00", "\x07bell", "a\x0bb\x0cc", "\x7f", "\x85", "\xa0", "\xad", "soft\xadhyphen", "\u200b", "zero\u200bwidth", "\u200e\u200f",
    "\u202eright-to-left", "\u2028line\u2029paragraph", "\ufeffmark", "\ufffd", "bad \ufffd\ufffd bytes", "\ufffe\uffff", "\ue000private\uf8ff", "\U000f0000\U0010ffff", "\U000e0001\U000e0041",
    "[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]", "a[SEP]b", "[ SEP ]", "[sep]", "[[SEP]]", "[CLS][CLS]", "[MASK", "##ing", "##", "# #", "x##y",
    "a" * 99, "a" * 100, "a" * 101, "é" * 99, "é" * 100, "e\u0301" * 100, "e\u0301" * 101, "汉" * 101, "가" * 33, "가" * 34, "!" * 300, "-" * 150, "supercalifragilisticexpialidocious",
    "pneumonoultramicroscopicsilicovolcanoconiosis", "https://example.org/a/b?c=d&e=f#g", "me@example.org", "£19.99", "€1.299,00", "3½ cups", "H₂O", "x²", "№5", "™®©", "ﬁnd ﬂour oﬃce", "ĳ Ĳ ŀ ŉ ſ ẞ",
    "ǅ ǆ Ǆ", "Å Å Å", "ﬀ", "①②③", "Ⅷ", "ｆｕｌｌ　ｗｉｄｔｈ！", "À\u0301\u0323", "a\u0323\u0301", "a\u0301\u0323", "q\u0307\u0323", "\u0301alone", "a \u0301 b", "\u1100\u1161\u11a8", "각", "\u0344", "\u0f73\u0f75\u0f81",
    "\u302e\u302f", "가\u302e\u302f", "가\u302f\u302e", "\U0001d15e\U0001d165", "\U0001d16d\U0001d165a", "\u0c3c\u302e", "\u1b44\u302e\u0c3c", "a\u093c\u0334\u302e", "ក្ក", "\u037e\u0387", "\u1fef\u2126\u212a\u212b", "\u2000\u2001", "\u3000", "\u1680\u180e",
    "İ", "I\u0307", "ı", "ΑΣ", "ΣΑΣ", "Σ", "ς", "ΐ", "ŉ", "ǰ", "ﬃ", "ß", "ẞ", "Ⴀ", "Ꭰ", "ꭰ", "𐐀", "𞤀", "Ａ", "Ⅰ", "Ⓐ",
    "<script>alert(1)</script>", "rank me first", "ignore all previous instructions", "' OR 1=1 --", "$(rm -rf /)", "{{7*7}}", "\\u0041", "%s%n", "\u0000\u0001\u0002x", "´`^¨~", "“quotes” ‘single’ «guillemets» „low“", "…—–‐‑", "a·b•c‧d",
]


def texts(rng):
    """Every kind of text, the same on each run."""
    found = list(PIECES) + list(WORDS.values())
    for name in sorted((ROOT / "fixtures/vaults").glob("*.json")):
        document = json.loads(name.read_text())
        found += sorted({value for value in strings(document) if 12 < len(value) < 300 and " " in value})[:14]
    words = [word for line in WORDS.values() for word in line.split()]
    english = WORDS["en"].split()
    lengths = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128]
    while len(found) < COUNT - 130:
        kind, length = rng.randrange(4), rng.choice(lengths[:12])
        language = list(WORDS)[rng.randrange(len(WORDS))]
        if kind == 0:
            found.append(" ".join(rng.choice(english) for _ in range(length)))
        elif kind == 1:
            found.append(" ".join(rng.choice(WORDS[language].split()) for _ in range(length)))
        elif kind == 2:
            found.append(rng.choice(["", " ", ", ", "\n"]).join(rng.choice(words + PIECES[1:]) for _ in range(min(length, 8))))
        else:
            found.append("".join(scalar(rng) for _ in range(min(length, 24))))
    for length in lengths:
        found += [" ".join(rng.choice(english) for _ in range(length)) for _ in range(4)]
    # Around the limit of 256 tokens, and far beyond it.
    for length in (240, 250, 252, 253, 254, 255, 256, 257, 258, 300, 1000):
        found += [" ".join(rng.choice(["warm", "gloves", "the", "spring"]) for _ in range(length))]
        found += [" ".join(rng.choice(["allotment", "für", "她", "🎁", "always"]) for _ in range(length // 2))]
    while len(found) < COUNT:
        found.append("".join(scalar(rng) for _ in range(rng.randrange(1, 6))))
    return found


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value if isinstance(value, list) else value.values():
            yield from strings(item)


def scalar(rng):
    """A character from anywhere: plain ones often, marks and rarely used planes too."""
    kind = rng.randrange(10)
    while True:
        number = (
            rng.randrange(0x20, 0x7F) if kind < 3 else rng.randrange(0x80, 0x250) if kind < 5
            else rng.randrange(0x300, 0x370) if kind == 5 else rng.randrange(0x370, 0x3100) if kind < 8
            else rng.randrange(0x3100, 0x10000) if kind == 8 else rng.randrange(0x10000, 0x20000)
        )
        if not 0xD800 <= number < 0xE000:
            return chr(number)


class Model:
    """BERT with mean pooling, in double precision."""

    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.tensors = {name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()}

    def norm(self, states, name):
        centred = states - states.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return centred / scale * self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def linear(self, states, name):
        return states @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def vector(self, ids):
        tensors, heads = self.tensors, self.config["num_attention_heads"]
        states = tensors["embeddings.word_embeddings.weight"][ids]
        states = states + tensors["embeddings.position_embeddings.weight"][: len(ids)]
        states = self.norm(states + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(self.config["num_hidden_layers"]):
            name = f"encoder.layer.{layer}."
            parts = [self.linear(states, name + "attention.self." + part).reshape(len(ids), heads, -1).transpose(1, 0, 2)
                     for part in ("query", "key", "value")]
            scores = parts[0] @ parts[1].transpose(0, 2, 1) / math.sqrt(parts[0].shape[-1])
            shares = np.exp(scores - scores.max(-1, keepdims=True))
            shares /= shares.sum(-1, keepdims=True)
            attended = (shares @ parts[2]).transpose(1, 0, 2).reshape(len(ids), -1)
            states = self.norm(states + self.linear(attended, name + "attention.output.dense"), name + "attention.output.LayerNorm")
            inner = self.linear(states, name + "intermediate.dense")
            inner = 0.5 * inner * (1 + erf(inner / math.sqrt(2)))
            states = self.norm(states + self.linear(inner, name + "output.dense"), name + "output.LayerNorm")
        mean = states.mean(0)
        return mean / np.linalg.norm(mean)


WAYS = {
    "uncased": {},
    "cased": dict(lowercase=False),
    "accents": dict(strip_accents=False),
    "stripped": dict(lowercase=False, strip_accents=True),
    "together": dict(handle_chinese_chars=False),
    "uncleaned": dict(clean_text=False),
}


def reader(vocabulary, normalizer, limit):
    """The reference tokenizer with a vocabulary."""
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.add_special_tokens([name for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")])
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    if limit:
        tokenizer.enable_truncation(limit)
    return tokenizer


def digest(numbers):
    value = 0xCBF29CE484222325
    for byte in b"".join(struct.pack("<I", number) for number in numbers):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def main():
    found = texts(random.Random(SEED))
    assert len(found) == COUNT
    limit = json.loads((MODEL / "sentence_bert_config.json").read_text())["max_seq_length"]
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)

    ways = {name: normalizers.BertNormalizer(**flags) for name, flags in WAYS.items()}
    letters = sorted({letter for text in found for way in ways.values() for letter in way.normalize_str(text)} - {"\n"})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary += [start + letter for letter in letters if not letter.isspace() for start in ("", "##")]
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    readers = {name: reader(numbers, way, None) for name, way in ways.items()}

    model = Model(MODEL)
    TARGET.mkdir(exist_ok=True)
    (TARGET / "characters.txt").write_text("\n".join(vocabulary) + "\n", newline="\n")
    vectors = []
    with open(TARGET / "texts.jsonl", "w") as lines:
        for text in found:
            encoding = tokenizer.encode(text)
            whole = {name: reader.encode(text).ids for name, reader in readers.items()}
            line = dict(text=text, tokens=encoding.ids, cut=bool(encoding.overflowing))
            line["ways"] = {name: digest(ids) for name, ids in whole.items()}
            lines.write(json.dumps(line, separators=(",", ":")) + "\n")
            vectors.append(model.vector(np.array(encoding.ids)))
    vectors = np.array(vectors)
    halves = vectors.astype("<f2")
    (TARGET / "vectors.f16").write_bytes(halves.tobytes())
    kept = halves.astype(np.float64)
    cosines = (kept * vectors).sum(1) / np.linalg.norm(kept, axis=1)
    print(f"{len(found)} texts, {len(vocabulary)} characters, least cosine after rounding 1 - {1 - cosines.min():.1e}")
    print(sum(len(json.loads(line)["tokens"]) for line in open(TARGET / "texts.jsonl")), "tokens")


main()
