# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Candidate lists mined from a corpus's own index: for training, for validation, and for YahooQA-style test sets.

A query's negatives are sampled from the best BM25 answers to it, as YahooQA's were (Tay et al. 2017, "Learning to rank
question answer pairs with holographic dual LSTM architecture", section 4.3: four negatives from the top 1000 hits), or
from all of them.
Only the answers' text is searched by default: when an FAQ's own questions are the queries, an index that is searched
over those questions too gives the answer away.
"""

import hashlib
import inspect
import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, Protocol, TypeVar, get_args

import numpy as np
from answer_selection.indexing.artifact import Artifact, digest, refuse_changed
from answer_selection.indexing.candidates import Candidate, CandidateList
from answer_selection.indexing.candidates.jsonl import list_to_dict
from answer_selection.indexing.corpus import Query
from answer_selection.indexing.corpus_index import CorpusIndex
from answer_selection.indexing.text.normalize import normalize, words
from answer_selection.indexing.text.sameness import sameness
from answer_selection.indexing.text.tree import TREE_FIELD, is_tree_of
from haystack import Document

Mode = Literal["uniform", "weighted", "top", "random", "retrieved"]
T = TypeVar("T")


# itertools has it from Python 3.12 on.
def _batched(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    iterator = iter(items)
    while batch := tuple(islice(iterator, size)):
        yield batch


ANSWER_TEXT_ALONE: Mapping[str, float] = {"content": 1.0}


class Retriever(Protocol):
    """A BM25 retriever component over any other store, for one that has no such methods."""

    document_store: Any

    def run(self, query: str, *, top_k: int) -> dict[str, list[Document]]:
        """Documents, best first."""
        ...


@dataclass(frozen=True, slots=True)
class MiningReport:
    """
    What came out.

    :param queries: how many queries there were.
    :param lists: how many lists were written.
    :param candidates: how many candidates these hold.
    :param short: lists with fewer negatives than were asked for: the search found no more admissible answers.
    :param left_out: queries without a list: no relevant entry or no admissible negative (or, YahooQA-style, too few
        or no positive of the right length).
    """

    queries: int
    lists: int
    candidates: int
    short: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """Everything that decides what is written, beside the queries and the store."""

    mode: Mode
    depth: int
    negatives: int
    keep_top: int
    seed: int
    fields: dict[str, float]
    min_words: int = 0
    max_words: int | None = None
    one_positive: bool = False
    exact: bool = False
    longest: int | None = None

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            msg = f"mode is '{self.mode}'; expected one of {', '.join(get_args(Mode))}"
            raise ValueError(msg)
        for name, least in (("depth", 1), ("negatives", 1), ("keep_top", 0), ("min_words", 0)):
            if getattr(self, name) < least:
                msg = f"{name} is {getattr(self, name)}; expected at least {least}"
                raise ValueError(msg)
        if self.keep_top > self.negatives:
            msg = f"keep_top is {self.keep_top}; expected at most negatives, which is {self.negatives}"
            raise ValueError(msg)
        if self.keep_top and self.mode == "random":
            msg = f"keep_top is {self.keep_top}; expected 0 with mode 'random', which ranks nothing"
            raise ValueError(msg)
        if self.max_words is not None and self.max_words < self.min_words:
            msg = f"max_words is {self.max_words}; expected at least min_words, which is {self.min_words}"
            raise ValueError(msg)

    def fits(self, text: str) -> bool:
        """Whether a text's length is within the limits."""
        if self.min_words == 0 and self.max_words is None:
            return True
        count = len(words(normalize(text)))
        return self.min_words <= count and (self.max_words is None or count <= self.max_words)


@dataclass(frozen=True, slots=True)
class _Hit:
    id: str
    rank: int | None = None
    score: float | None = None

    def meta(self) -> dict[str, Any]:
        found = {"retriever_rank": self.rank, "retriever_score": self.score}
        return {name: value for name, value in found.items() if value is not None}


class _Answer(NamedTuple):
    """An entry's answer, and what tells the same answers and the same questions."""

    sameness: bytes
    question: bytes | None
    text: str
    tree: str | None

    def meta(self, hit: _Hit | None) -> dict[str, Any]:
        """What is known of it as a candidate: where it was found, and its parse tree."""
        found = {} if hit is None else hit.meta()
        # It may be the tree of question and answer together, for a ranker that reads both.
        if self.tree is not None and is_tree_of(self.tree, self.text):
            found[TREE_FIELD] = self.tree
        return found


class _Answers:
    """The corpus's answers by id, on disk, so that memory does not grow with the corpus."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.unlink(missing_ok=True)
        # A scratch file: made anew by every run, so nothing has to survive a crash.
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = OFF")
        self.connection.execute("PRAGMA synchronous = OFF")
        columns = "id TEXT PRIMARY KEY, sameness BLOB, question BLOB, answer TEXT, tree TEXT"
        self.connection.execute(f"CREATE TABLE answers ({columns})")

    def add(self, rows: Iterable[tuple[str, str | None, Any, Any]]) -> None:
        """
        Add entries' ids, answers, questions and parse trees where they are not there yet.

        Empty answers are none and can be neither positive nor negative.
        """
        self.connection.execute("BEGIN")
        self.connection.executemany(
            "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?)",
            (
                (id_, sameness(answer), sameness(str(question)) if question else None, answer, tree)
                for id_, answer, question, tree in rows
                if answer and answer.strip()
            ),
        )
        self.connection.execute("COMMIT")

    def get(self, ids: Sequence[str]) -> dict[str, _Answer]:
        """Give the answers that are there."""
        found: dict[str, _Answer] = {}
        for some in _batched(ids, 500):
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(
                f"SELECT id, sameness, question, answer, tree FROM answers WHERE id IN ({marks})",  # noqa: S608  marks only
                some,
            )
            found.update((id_, _Answer(*row)) for id_, *row in rows)
        return found

    def number(self) -> int:
        """Number the ids, in an order that does not depend on the index's own; gives how many there are."""
        self.connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, id TEXT)")
        return self.connection.execute("INSERT INTO numbers (id) SELECT id FROM answers ORDER BY id").rowcount

    def numbered(self, numbers: Sequence[int]) -> list[str]:
        """Give the ids of some numbers, counted from 1, in their order."""
        found: dict[int, str] = {}
        for some in _batched(numbers, 500):
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(
                f"SELECT number, id FROM numbers WHERE number IN ({marks})",  # noqa: S608  only question marks
                some,
            )
            found.update(rows)
        return [found[number] for number in numbers]

    def close(self) -> None:
        """Close and remove the file."""
        self.connection.close()
        self.path.unlink(missing_ok=True)


class _IndexSource:
    """Hits and answers of an index of this package. Scores are asked for only where the lists are to be ranked."""

    def __init__(self, index: CorpusIndex, answers: _Answers, plan: _Plan) -> None:
        self.index, self.answers, self.plan = index, answers, plan
        fields = ["id", "content", "meta.question", f"meta.{TREE_FIELD}"]
        for page in index.iter_pages(fields):
            answers.add(tuple(row[field] for field in fields) for row in page)

    def hits(self, queries: Sequence[Query]) -> Iterator[list[_Hit]]:
        texts, depth, fields = [query.query for query in queries], self.plan.depth, self.plan.fields
        if self.plan.mode == "retrieved":
            for scored in self.index.search_scored(texts, depth, fields):
                yield [_Hit(id_, rank, score) for rank, (id_, score) in enumerate(scored, start=1)]
        else:
            for ids in self.index.search_ids(texts, depth, fields):
                yield [_Hit(id_, rank, None) for rank, id_ in enumerate(ids, start=1)]


def _random(seed: int, *words: str) -> np.random.Generator:
    # Seeded by the query itself, so that neither order, nor chunks, nor a resumed run changes a list.
    seeded = hashlib.sha256("\0".join((str(seed), *words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(seeded[:16]))


def _row(document: Document) -> tuple[str, str | None, Any, Any]:
    return document.id, document.content, document.meta.get("question"), document.meta.get(TREE_FIELD)


class _RandomSource(_IndexSource):
    """As many entries for a query, drawn at random, whatever a search finds."""

    def __init__(self, index: CorpusIndex, answers: _Answers, plan: _Plan) -> None:
        super().__init__(index, answers, plan)
        self.count = answers.number()

    def hits(self, queries: Sequence[Query]) -> Iterator[list[_Hit]]:
        for query in queries:
            random = _random(self.plan.seed, "drawn", query.query_id)
            drawn = random.choice(self.count, min(self.plan.depth, self.count), replace=False)
            yield [_Hit(id_) for id_ in self.answers.numbered((drawn + 1).tolist())]


class _RetrieverSource:
    """The same from a retriever component: slower, but any store has one."""

    def __init__(self, retriever: Retriever, answers: _Answers, plan: _Plan) -> None:
        self.retriever, self.answers, self.plan = retriever, answers, plan
        # Haystack's own retrievers search `content` and know no fields; ours is told which.
        takes_fields = "search_fields" in inspect.signature(retriever.run).parameters
        self.options = {"search_fields": plan.fields} if takes_fields else {}

    def hits(self, queries: Sequence[Query]) -> Iterator[list[_Hit]]:
        relevant = sorted({id_ for query in queries for id_ in query.relevant})
        filters = {"field": "id", "operator": "in", "value": relevant}
        documents = self.retriever.document_store.filter_documents(filters=filters) if relevant else []
        self.answers.add(_row(document) for document in documents)
        for query in queries:
            documents = self.retriever.run(query.query, top_k=self.plan.depth, **self.options)["documents"]
            self.answers.add(_row(document) for document in documents)
            yield [_Hit(document.id, rank, document.score) for rank, document in enumerate(documents, start=1)]


class _Sampler:
    """Turns one query and its hits into its candidate list: a function of these, the plan and the answers alone."""

    def __init__(self, answers: _Answers, plan: _Plan, held_out: Collection[str]) -> None:
        self.answers, self.plan, self.held_out = answers, plan, held_out

    def candidates(self, query: Query, hits: Sequence[_Hit]) -> CandidateList | None:
        """The list, or None where the query has to be left out."""
        apart = bool(query.relevant) and all(id_ in self.held_out for id_ in query.relevant)
        hits = [hit for hit in hits if (hit.id in self.held_out) == apart]
        if self.plan.mode == "retrieved":
            return self._retrieved(query, hits)
        if self.plan.exact and not self.plan.fits(query.query):
            return None
        random = _random(self.plan.seed, query.query_id)
        if not query.relevant:
            return None
        relevant = self._relevant(query)
        positives = [id_ for id_, answer in relevant.items() if self.plan.fits(answer.text)]
        if self.plan.one_positive and positives:
            positives = [positives[int(random.integers(len(positives)))]]
        if not positives:
            return None
        negatives = self._negatives(query, hits, relevant, random)
        if not negatives or (self.plan.exact and len(negatives) < self.plan.negatives):
            return None
        places = {hit.id: hit for hit in hits}
        candidates = [
            Candidate(id_, relevant[id_].text, 1, relevant[id_].meta(places.get(id_))) for id_ in positives
        ] + negatives
        # In no order that says anything: a ranker that ties them all must not come out right.
        shuffled = tuple(candidates[i] for i in random.permutation(len(candidates)))
        return CandidateList(query.query_id, query.query, shuffled, {})

    def _relevant(self, query: Query) -> dict[str, _Answer]:
        """The relevant answers, in the query's own order."""
        found = self.answers.get(query.relevant)
        for id_ in query.relevant:
            if id_ not in found:
                msg = f"query '{query.query_id}': relevant entry '{id_}' is not in the store, or has no answer there"
                raise ValueError(msg)
        return {id_: found[id_] for id_ in query.relevant}

    def _negatives(
        self,
        query: Query,
        hits: Sequence[_Hit],
        relevant: Mapping[str, _Answer],
        random: np.random.Generator,
    ) -> list[Candidate]:
        seen = {answer.sameness for answer in relevant.values()}
        asked = sameness(query.query)
        hits = [hit for hit in hits if hit.id not in relevant]

        def admissible(order: Iterable[_Hit]) -> Iterator[Candidate]:
            # Texts are fetched for a few hits at a time: out of a thousand, about as many as are wanted are looked at.
            for some in _batched(order, 2 * self.plan.negatives):
                rows = self.answers.get([hit.id for hit in some])
                for hit in some:
                    answer = rows.get(hit.id)
                    # Another answer to the question itself may be as right as the relevant ones.
                    if answer is None or answer.question == asked or answer.sameness in seen:
                        continue
                    if self.plan.fits(answer.text):
                        seen.add(answer.sameness)
                        yield Candidate(hit.id, answer.text, 0, answer.meta(hit))

        best = islice(admissible(hits), self.plan.keep_top)
        return list(islice(chain(best, admissible(self._order(hits, random))), self.plan.negatives))

    def _order(self, hits: Sequence[_Hit], random: np.random.Generator) -> list[_Hit]:
        """A random order to take negatives in; by weights (Efraimidis and Spirakis 2006) 1/rank or all the same."""
        if self.plan.mode in ("top", "random"):
            return list(hits)
        keys = -np.log1p(-random.random(len(hits)))
        if self.plan.mode == "weighted":
            keys *= [hit.rank for hit in hits]
        return [hits[i] for i in np.argsort(keys, kind="stable")]

    def _retrieved(self, query: Query, hits: Sequence[_Hit]) -> CandidateList:
        hits = hits[: self.plan.longest]
        rows = self.answers.get([hit.id for hit in hits])
        same = {answer.sameness for answer in self.answers.get(query.relevant).values()}
        asked = sameness(query.query)
        candidates = []
        for hit in hits:
            answer = rows.get(hit.id)
            label = int(hit.id in query.relevant)
            if answer and (label or (answer.sameness not in same and answer.question != asked)):
                candidates.append(Candidate(hit.id, answer.text, label, answer.meta(hit)))
        return CandidateList(query.query_id, query.query, tuple(candidates), {})


def _line(candidates: CandidateList) -> bytes:
    return (json.dumps(list_to_dict(candidates), ensure_ascii=False) + "\n").encode()


class _Count:
    def __init__(self, plan: _Plan) -> None:
        self.plan = plan
        self.queries = self.lists = self.candidates = self.short = 0

    def add(self, labels: Sequence[int] | None) -> None:
        """Count a query: the labels of its list, None if it has none."""
        self.queries += 1
        if labels is not None:
            self.lists += 1
            self.candidates += len(labels)
            self.short += self.plan.mode != "retrieved" and labels.count(0) < self.plan.negatives

    def report(self) -> MiningReport:
        return MiningReport(self.queries, self.lists, self.candidates, self.short, self.queries - self.lists)


def _drop_torn_line(file: BinaryIO) -> None:
    """Cut off what a killed run left after the last whole line."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        file.seek(start)
        if (newline := file.read(end - start).rfind(b"\n")) >= 0:
            end = start + newline + 1
            break
        end = start
    file.truncate(end)
    file.seek(0)


def _skip_written(file: BinaryIO, queries: Iterator[Query], count: _Count, path: Path) -> None:
    """
    Match an interrupted run's lines with the queries, and leave the queries that are still to be mined.

    A query without a line between others with one had been left out. Where that is so for the last ones it is found
    out again, with the same result.
    """
    for number, line in enumerate(file, start=1):
        written = json.loads(line)
        waiting: list[Query] = []
        for query in queries:
            waiting.append(query)
            if (query.query_id, query.query) == (written["query_id"], written["query"]):
                break
        else:
            msg = (
                f"{path}, line {number}: query '{written['query_id']}' is not among the queries, or not in this order; "
                "the file was begun with other queries (overwrite=True starts anew)"
            )
            raise ValueError(msg)
        for _ in waiting[:-1]:
            count.add(None)
        count.add([candidate["label"] for candidate in written["candidates"]])
    file.seek(0, os.SEEK_END)


class _Fingerprint:
    """Runs along with the queries, to know them again."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def watch(self, queries: Iterable[Query]) -> Iterator[Query]:
        for query in queries:
            self.hash.update(json.dumps([query.query_id, query.query, list(query.relevant)]).encode())
            yield query


def _check_output(lists: Artifact, wanted: dict[str, Any], *, overwrite: bool) -> dict[str, Any] | None:
    """What is recorded of lists that are finished, of the same settings; what is in their way goes, or is an error."""
    output, partial = lists.path, _partial(lists.path)
    if overwrite:
        for path in (lists.record, output, partial):
            path.unlink(missing_ok=True)
        return None
    recorded = lists.recorded()
    if recorded is None:
        if output.exists():
            msg = f"{output} exists and was not mined with known settings (overwrite=True replaces it)"
            raise FileExistsError(msg)
        partial.unlink(missing_ok=True)
        return None
    refuse_changed(f"{output} was mined, or begun,", recorded["settings"], wanted, overwriting="replaces it")
    if not output.exists() or "report" not in recorded:
        return None
    if _written(output) != recorded.get("output"):
        msg = f"{output} is not what its settings say was written: cut off, or changed; overwrite=True replaces it"
        raise FileExistsError(msg)
    return recorded


def _written(output: Path) -> dict[str, Any]:
    """What tells a finished file from one that was cut or changed."""
    return {"bytes": output.stat().st_size, "sha256": digest(output)}


def _partial(output: Path) -> Path:
    return output.with_name(output.name + ".part")


def _digest_of(held_out: Collection[str]) -> str | None:
    return hashlib.sha256("\n".join(sorted(held_out)).encode()).hexdigest() if held_out else None


def _mine(
    store: CorpusIndex | Retriever,
    queries: Iterable[Query],
    plan: _Plan,
    output: Path,
    *,
    held_out: Collection[str] = (),
    overwrite: bool,
    progress: Callable[[int], None] | None,
    chunk: int = 256,
) -> MiningReport:
    documents: Any = getattr(store, "document_store", store)
    if plan.mode == "random" and not hasattr(store, "search_ids"):
        msg = (
            "mode is 'random'; expected an index of this package, since a retriever gives no entries but those it finds"
        )
        raise ValueError(msg)
    lists = Artifact(output, record=output.with_name(output.name + ".settings.json"))
    wanted = asdict(plan) | {"documents": documents.count_documents(), "held_out": _digest_of(held_out)}
    output.parent.mkdir(parents=True, exist_ok=True)
    fingerprint = _Fingerprint()
    queries = fingerprint.watch(queries)
    if finished := _check_output(lists, wanted, overwrite=overwrite):
        for _ in queries:
            pass
        if fingerprint.hash.hexdigest() != finished["queries"]:
            msg = f"{output} was mined from other queries; overwrite=True replaces it"
            raise FileExistsError(msg)
        return MiningReport(**finished["report"])
    lists.write_record({"settings": wanted})

    count = _Count(plan)
    partial = _partial(output)
    with (
        closing(_Answers(output.with_name(output.name + ".answers.sqlite"))) as answers,
        partial.open("r+b" if partial.exists() else "w+b") as file,
    ):
        _drop_torn_line(file)
        _skip_written(file, queries, count, partial)
        sampler = _Sampler(answers, plan, held_out)
        source: _IndexSource | _RetrieverSource
        if hasattr(store, "search_ids"):
            source = (_RandomSource if plan.mode == "random" else _IndexSource)(store, answers, plan)  # type: ignore[arg-type]
        else:
            source = _RetrieverSource(store, answers, plan)
        if progress:
            progress(count.queries)
        for some in _batched(queries, chunk):
            for query, hits in zip(some, source.hits(some), strict=True):
                candidates = sampler.candidates(query, hits)
                count.add(None if candidates is None else [c.label for c in candidates.candidates])
                if candidates is not None:
                    file.write(_line(candidates))
                if progress:
                    progress(count.queries)
            file.flush()
        os.fsync(file.fileno())
    report = count.report()
    finished = {"queries": fingerprint.hash.hexdigest(), "report": asdict(report), "output": _written(partial)}
    lists.write_record({"settings": wanted, **finished})
    partial.replace(output)
    return report


def mine(
    store: CorpusIndex | Retriever,
    queries: Iterable[Query],
    *,
    output: Path,
    depth: int = 1000,
    negatives: int = 15,
    seed: int = 0,
    fields: Mapping[str, float] = ANSWER_TEXT_ALONE,
    mode: Mode = "uniform",
    keep_top: int = 0,
    longest: int | None = None,
    held_out: Collection[str] = (),
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MiningReport:
    """
    Write one candidate list a query, from the corpus's own index.

    The relevant entries (an FAQ question's own entry is one) are never negatives; nor are other entries whose own
    question is the query, nor answers that are equal to a relevant one after normalisation; nor are two negatives of a
    list equal. A list holds all relevant answers, whether retrieved or not, and its order is random. A query whose
    search finds fewer admissible negatives gets those; one that gets none, or has no relevant entry, is left out (all
    are counted).

    A candidate keeps its document's `parse_tree`, if that is its answer's.

    Lists stream to ``<output>.part``, which becomes ``output`` at the end. A killed run goes on where it was when it is
    called again with the same arguments, and ends with the same bytes; a finished one is left as it is. What it was
    made with, and its digest, stays in ``<output>.settings.json``. Memory grows neither with the corpus nor with the
    queries.

    :param store: an index of this package; or a BM25 retriever component over any other store, whose scores are then
        kept beside the ranks. A retriever that takes no ``search_fields`` must search the answers' text alone.
    :param queries: the queries with the ids of their relevant entries.
    :param output: where the candidate lists are written, in the JSON Lines form that ``read_jsonl`` reads.
    :param depth: how many of the best answers to sample from.
    :param negatives: how many negatives a list gets.
    :param seed: the same seed gives the same lists, whatever the queries' order.
    :param fields: what is searched, with boosts. Think twice before adding "question" where queries are the corpus's
        own questions.
    :param mode: "uniform" over the top `depth` (YahooQA's way); "weighted" by 1/rank; "top", the best-ranked ones;
        "random", of `depth` entries that are drawn from the whole index, which has to be one of this package; or
        "retrieved": the top `depth` answers themselves in their order, as a ranker behind this search would see them,
        relevant or not, with their scores. Left out are those that are never negatives, as told above: entries that
        are not relevant although their own question is the query, or their answer equal to a relevant one. There the
        relevant are in only if they were found, `negatives` and `keep_top` mean nothing, and no query is left out.
    :param keep_top: so many of the negatives are the best-ranked ones, whatever the mode.
    :param longest: with the mode "retrieved": a list ends after so many candidates; None is all of the top `depth`.
    :param held_out: ids of entries that are kept apart. A query that only these answer gets candidates of these alone;
        any other query gets none of them.
    :param overwrite: whether to start anew where there is something else under that name.
    :param progress: called with the number of queries done.
    :returns: what came out.
    :raises ValueError: if a query has a relevant entry that is not in the store (unless mode is "retrieved"), if an
        interrupted run's file has other queries, or if an argument is out of its range.
    :raises FileExistsError: if `output` is there from other settings or queries, or was cut off or changed since.
    """
    plan = _Plan(mode, depth, negatives, keep_top, seed, dict(fields), longest=longest)
    # Looked up for every hit.
    apart = frozenset(held_out)
    return _mine(store, queries, plan, Path(output), held_out=apart, overwrite=overwrite, progress=progress)


def yahooqa_style(
    store: CorpusIndex | Retriever,
    queries: Iterable[Query],
    *,
    output: Path,
    depth: int = 1000,
    negatives: int = 4,
    min_words: int = 5,
    max_words: int = 50,
    seed: int = 0,
    fields: Mapping[str, float] = ANSWER_TEXT_ALONE,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> MiningReport:
    """
    Write a test set in the manner of YahooQA (Tay et al. 2017): one relevant answer and four sampled negatives a query.

    Only questions and answers of 5 to 50 words take part. A query that is longer or shorter, has no relevant answer of
    that length, or finds too few negatives of that length is left out, so that every list has the same size. Of several
    relevant answers one is drawn. Everything else is as in :func:`mine`.

    :param store: as in :func:`mine`.
    :param queries: the queries with the ids of their relevant entries.
    :param output: where the candidate lists are written.
    :param depth: how many of the best answers to sample from.
    :param negatives: how many negatives each list has.
    :param min_words: the least number of words in a question or an answer.
    :param max_words: the largest number of words in a question or an answer.
    :param seed: the same seed gives the same lists, whatever the queries' order.
    :param fields: what is searched, with boosts.
    :param overwrite: whether to start anew where there is something else under that name.
    :param progress: called with the number of queries done.
    :returns: what came out.
    :raises ValueError: as in :func:`mine`.
    :raises FileExistsError: as in :func:`mine`.
    """
    plan = _Plan(
        "uniform",
        depth,
        negatives,
        0,
        seed,
        dict(fields),
        min_words=min_words,
        max_words=max_words,
        one_positive=True,
        exact=True,
    )
    return _mine(store, queries, plan, Path(output), overwrite=overwrite, progress=progress)
