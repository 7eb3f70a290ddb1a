# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Small data sets that are made up, in the forms in which the real ones are published."""

import json
from pathlib import Path

ANIMALS = ("heron", "otter", "lynx", "badger", "stork", "weasel", "hare", "newt", "toad", "swift", "marten", "beaver")
COMMENT = (
    '<RelComment RELC_ID="{id}" RELC_USERID="u" RELC_RELEVANCE2RELQ="{label}"><RelCText>{text}</RelCText></RelComment>'
)


def write_toks(folder: Path, animals: tuple[str, ...]) -> None:
    rows = []
    for number, animal in enumerate(animals):
        asked = (f"q{number}", f"where does the {animal} live ?")
        right = f"the {animal} lives by the river " + " ".join(f"w{place}" for place in range(50))
        rows += [(*asked, right, 1), (*asked, "nothing is known of it .", 0)]
    # One question with nothing but right answers, and one without any: the policies differ by them.
    rows += [("all", "what is a bird ?", "a heron is a bird .", 1), ("none", "what is a fish ?", "no idea .", 0)]
    folder.mkdir(parents=True)
    for column, name in enumerate(("id.txt", "a.toks", "b.toks", "sim.txt")):
        (folder / name).write_text("".join(f"{row[column]}\n" for row in rows), encoding="utf-8")


def write_threads(path: Path) -> None:
    threads = []
    for number, animal in enumerate(ANIMALS):
        comments = COMMENT.format(id=f"{number}-1", label="Good", text=f"The {animal} lives by the river.")
        comments += COMMENT.format(id=f"{number}-2", label="Bad", text="Ask somebody else.")
        question = f'<RelQuestion RELQ_ID="{path.stem[0]}{number}" RELQ_CATEGORY="c" RELQ_USERID="u">'
        question += f"<RelQSubject>Where does the {animal} live?</RelQSubject><RelQBody/></RelQuestion>"
        threads.append(f"<Thread>{question}{comments}</Thread>")
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<xml>{''.join(threads)}</xml>", encoding="utf-8")


def write_sentences(folder: Path, half: str) -> None:
    folder.mkdir(exist_ok=True)
    sentences, questions = [], []
    for number in range(300 if half == "dev" else 24):
        animal, place = ANIMALS[number % len(ANIMALS)], f"{half} valley number {number // 2}"
        sentences.append(f"the {animal} lives near the river in {place} .")
        questions.append(f"where does the {animal} of {place} live ?")
    (folder / f"src-{half}.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    (folder / f"tgt-{half}.txt").write_text("\n".join(questions) + "\n", encoding="utf-8")


def write_faq(folder: Path, course: str) -> None:
    folder.mkdir(parents=True)
    entries, asked = [], []
    for number, animal in enumerate(ANIMALS):
        question, answer = f"Course {course}: what is the {animal}?", f"The {animal} is homework {number} of {course}."
        entries.append({"entry_id": f"e{number}", "question": question, "answer": answer, "section": "General"})
        for again, asks in enumerate(("Which homework is the {}?", "When do we do the {}?", "I forgot the {}, help")):
            asked.append({"query_id": f"e{number}-{again}", "query": asks.format(animal), "relevant": [f"e{number}"]})
    for name, lines in (("corpus.jsonl", entries), ("queries.jsonl", asked)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_data_sets(folder: Path) -> Path:
    """Write WikiQA, TrecQA, Qatar Living, SQuAD's sentences and two FAQs as an experiment looks for them."""
    for course in ("data-engineering", "machine-learning"):
        write_faq(folder / "zoomcamp-faq" / course, course)
    for part in ("train", "dev", "test"):
        write_toks(folder / "wikiqa" / part, ANIMALS)
    for part in ("train", "train-all", "raw-dev", "raw-test", "clean-dev", "clean-test"):
        write_toks(folder / "trecqa" / part, ANIMALS)
    for part in ("train-part2", "dev"):
        write_threads(folder / "qatarliving" / f"SemEval2016-Task3-CQA-QL-{part}-subtaskA.xml")
    for half in ("dev", "test"):
        write_sentences(folder / "squad-sentences", half)
    return folder
