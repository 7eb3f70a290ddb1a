# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Sentences with their trees by a little grammar: as many as probing tasks need, of 24 top constituents' sequences."""

import json
from itertools import product
from pathlib import Path
from random import Random

TOPS = [
    " ".join(part for part in parts if part)
    for parts in product(["", "CC", "ADVP", "PP ,", "SBAR ,", "INTJ"], ["NP VP", "VP"], [".", "PP ."])
]
WORDS = {
    "CC": ["and", "but", "or"],
    "RB": ["often", "here", "now", "slowly"],
    "IN": ["of", "near", "under", "with", "behind"],
    "DT": ["the", "a", "this", "every"],
    "NN": ["library", "card", "desk", "book", "reader", "room", "loan", "shelf", "clerk", "visitor"],
    "VBZ": ["closes", "renews", "finds", "takes", "sees", "returns"],
    "UH": ["yes", "no", "well"],
    ",": [","],
    ".": [".", "!"],
}
RULES = {
    "NP": [["DT", "NN"], ["DT", "NN"], ["NN"], ["NP", "PP"]],
    "VP": [["VBZ"], ["VBZ", "NP"], ["VBZ", "NP"], ["VBZ", "NP", "PP"]],
    "PP": [["IN", "NP"]],
    "ADVP": [["RB"]],
    "SBAR": [["IN", "S"]],
    "S": [["NP", "VP"]],
    "INTJ": [["UH"]],
}


def grown(label: str, random: Random) -> str:
    if label in WORDS:
        return f"({label} {random.choice(WORDS[label])})"
    return f"({label} {' '.join(grown(part, random) for part in random.choice(RULES[label]))})"


def text_of(tree: str) -> str:
    return " ".join(part.rstrip(")") for part in tree.split() if not part.startswith("("))


def sentences(number: int, seed: int = 0) -> list[dict]:
    """Different sentences, as the lines of a file to probe with."""
    random = Random(seed)
    found: dict[str, str] = {}
    while len(found) < number:
        tops = random.choice(TOPS).split()
        tree = f"(ROOT (S {' '.join(grown(top, random) for top in tops)}))"
        found.setdefault(text_of(tree), tree)
    return [{"text": text, "parse_tree": tree} for text, tree in found.items()]


def write_sentences(path: Path, number: int) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in sentences(number)), encoding="utf-8")
    return path
