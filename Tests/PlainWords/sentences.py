"""Splits Markdown prose into sentences and counts their words."""

import re

LONGEST = 35
MEAN = 18


def blocks(text):
    """The paragraphs, list items and table cells of a page, without code, each with its line number."""
    found, lines, start, fence = [], [], 0, None

    def close():
        if lines:
            found.append((start, " ".join(lines)))
            lines.clear()

    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if fence:
            fence = None if stripped == fence else fence
            continue
        if match := re.match(r"(`{3,})", stripped):
            close()
            fence = match[1]
            continue
        if not stripped or stripped.startswith("#") or re.fullmatch(r"[|:\- ]+", stripped):
            close()
            continue
        if stripped.startswith("|"):
            close()
            cells = re.split(r"(?<!\\)\|", stripped.strip("|"))
            found += [(number, cell.strip()) for cell in cells if cell.strip()]
            continue
        item = re.match(r"(?:[-*+]|\d+\.)\s+", stripped)
        if item or stripped.startswith(">") and not lines:
            close()
        if not lines:
            start = number
        lines.append(re.sub(r"^(?:>\s*)?(?:(?:[-*+]|\d+\.)\s+)?(?:(?:Note|Tip|Important|Warning):\s*)?", "", stripped))
    close()
    return found


def sentences(text):
    """Each sentence of a page with its line number and its number of words; inline code counts as one word."""
    for line, block in blocks(text):
        plain = re.sub(r"`+[^`]+`+", "code", block)
        plain = re.sub(r"<doc:\w+>", "page", plain)
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        plain = re.sub(r"<https?://[^>]*>|https?://\S+", "address", plain)
        for sentence in re.split(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_]*[A-Z0-9c])", plain):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if words:
                yield line, len(words), sentence


def problems(name, text):
    """What makes a page too hard to read."""
    counted = list(sentences(text))
    for line, words, sentence in counted:
        if words > LONGEST:
            yield f"{name}:{line}: a sentence of {words} words (at most {LONGEST}): {sentence[:80]}…"
    # A fragment such as a table's cell would lower the mean.
    whole = [words for _, words, sentence in counted if words > 3]
    if whole and sum(whole) / len(whole) > MEAN:
        yield f"{name}: {sum(whole) / len(whole):.1f} words a sentence on average (at most {MEAN})"
