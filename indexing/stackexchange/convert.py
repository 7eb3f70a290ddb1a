# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""From a dump's ``Posts.xml`` to ``corpus.jsonl`` and ``queries.jsonl``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from answer_selection.indexing.corpus import Query, write_corpus, write_queries
from answer_selection.indexing.entries import EntryError, EntrySourceError
from answer_selection.indexing.formats.raw import Problem
from answer_selection.indexing.formats.readable import CutOffHtmlError, readable_html
from answer_selection.indexing.stackexchange.database import PostDatabase
from answer_selection.indexing.stackexchange.posts import DamagedDumpError, Question, iter_posts

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
# Gone when a run is through: where it is, what else is there is of a run that was killed.
_SCRATCH = "posts.sqlite"
# So many are named; the others are counted, since a dump may have any number of them.
_NAMED = 10


@dataclass(slots=True)
class StackExchangeReport:
    """
    What came out of a dump.

    :param questions: questions read.
    :param answers: answers read.
    :param entries: entries written: answers whose question is there and that are not empty.
    :param queries: queries written: questions with a relevant answer.
    :param relevant: relevant answers of all queries.
    :param empty: answers left out: nothing but tags in them.
    :param without_votes: answers whose votes the dump does not say: they are relevant to nothing.
    :param without_question: answers left out: their question is not in the dump.
    :param orphans: the first of these, by number.
    :param wrong: rows left out: a value is wrong, or the number of the post came before.
    :param errors: the first of these, one line each.
    :param damage: where and how the dump is cut off or damaged, or None if it is whole.
    """

    questions: int = 0
    answers: int = 0
    entries: int = 0
    queries: int = 0
    relevant: int = 0
    empty: int = 0
    without_votes: int = 0
    without_question: int = 0
    orphans: list[int] = field(default_factory=list)
    wrong: int = 0
    errors: list[EntryError] = field(default_factory=list)
    damage: EntryError | None = None


def convert_dump(
    posts: str | Path,
    output: str | Path,
    *,
    site: str | None = None,
    min_score: int = 2,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> StackExchangeReport:
    """
    Make a corpus with questions of a StackExchange site: every answer is an entry, every title a query.

    Posts are joined in a scratch file in the output folder, so that memory does not grow with the dump. Both files
    appear when all is written, and are the same whatever the order of the posts; a killed run is begun anew.

    :param posts: the dump's ``Posts.xml``.
    :param output: the folder for ``corpus.jsonl`` and ``queries.jsonl``. An entry brings its question along, and has
        ``accepted``, ``score``, ``tags``, ``site`` and ``question_id`` in its metadata.
    :param site: the site's name, which its ids begin with; by default that of the folder that ``posts`` is in.
    :param min_score: least votes of an answer that is relevant to its question.
    :param overwrite: whether to replace files that are there.
    :param progress: called with the number of bytes read so far.
    :returns: what came out. Of a damaged dump that is what could be read.
    :raises EntrySourceError: if the file cannot be read, is nothing like ``Posts.xml``, or holds no answer to any of
        its questions.
    :raises FileExistsError: if ``corpus.jsonl`` or ``queries.jsonl`` is there and `overwrite` is False.
    :raises ValueError: if there is no name for the site.
    """
    posts, output = Path(posts), Path(output)
    name = (posts.resolve().parent.name if site is None else site).strip()
    if not name:
        msg = f"the folder of {posts} has no name: name the site"
        raise ValueError(msg)
    scratch = output / _SCRATCH
    _refuse_files(output, unfinished=scratch.exists(), overwrite=overwrite)
    output.mkdir(parents=True, exist_ok=True)
    report = StackExchangeReport()
    with PostDatabase(scratch, name) as database:
        _read(posts, database, report, progress)
        database.join()
        for orphan in database.orphans():
            report.without_question += 1
            report.orphans += [orphan] if len(report.orphans) < _NAMED else []
        if not any(islice(database.entries(), 1)):
            damage = f"; {report.damage.message}" if report.damage else ""
            found = f"{report.questions} questions and {report.answers} answers"
            message = f"expected answers to questions, found none among {found}{damage}"
            raise EntrySourceError(EntryError(str(posts), "", None, message))
        files = output / CORPUS, output / QUERIES
        report.entries = write_corpus(files[0], database.entries())
        try:
            report.queries = write_queries(files[1], _counted(database.queries(min_score), report))
        except BaseException:
            # One without the other would be taken for a corpus of somebody else's.
            for path in files:
                path.unlink(missing_ok=True)
            raise
    return report


def _refuse_files(output: Path, *, unfinished: bool, overwrite: bool) -> None:
    for path in (output / CORPUS, output / QUERIES):
        if path.exists() and not (unfinished or overwrite):
            msg = f"{path} already exists: name another folder, or allow overwriting it (overwrite=True)"
            raise FileExistsError(msg)


def _read(
    posts: Path, database: PostDatabase, report: StackExchangeReport, progress: Callable[[int], None] | None
) -> None:
    def wrong(location: str, name: str | None, message: str) -> None:
        report.wrong += 1
        if len(report.errors) < _NAMED:
            report.errors.append(EntryError(str(posts), location, name, message))

    try:
        for post in iter_posts(posts, progress):
            if isinstance(post, Problem):
                wrong(post.location, post.field, post.message)
                continue
            if isinstance(post, Question):
                report.questions += 1
                is_new = database.add_question(post)
            else:
                report.answers += 1
                try:
                    text = readable_html(post.body)
                except CutOffHtmlError as error:
                    wrong(f"post {post.post_id}", "Body", str(error))
                    continue
                report.empty += not text
                report.without_votes += post.score is None and bool(text)
                is_new = not text or database.add_answer(post, text)
            if not is_new:
                wrong(f"post {post.post_id}", "Id", "the number comes twice; expected each once")
    except DamagedDumpError as error:
        report.damage = error.error


def _counted(queries: Iterator[Query], report: StackExchangeReport) -> Iterator[Query]:
    for query in queries:
        report.relevant += len(query.relevant)
        yield query
