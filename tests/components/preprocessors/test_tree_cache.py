# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest

from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend, ParserError
from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
from new_process import NewProcess

TEXTS = [f"word{number}" for number in range(1200)]


def tree(text: str) -> str:
    return f"(ROOT (NN {text}))"


class Recording(ParserBackend):
    """Parses single words, and writes down which; one of them it cannot parse."""

    def __init__(self, name="recording", broken=None):
        self._name, self.broken, self.asked = name, broken, []

    @property
    def name(self):
        return self._name

    def stream(self, texts):
        for text in texts:
            if text == self.broken:
                msg = f"cannot parse {text}"
                raise ParserError(msg)
            self.asked.append(text)
            yield text, tree(text)


def test_trees_are_kept_by_parser_and_text(tmp_path):
    cache = TreeCache(tmp_path / "folder" / "trees.sqlite")
    assert cache.find("one", TEXTS) == {}
    cache.keep("one", {text: tree(text) for text in TEXTS})
    cache.keep("other", {"word1": "(ROOT (X word1))", "\ud800": "(ROOT (X \u00e9))"})
    again = TreeCache(cache.path)
    assert again.find("one", [*TEXTS, "word", "word1"]) == {text: tree(text) for text in TEXTS}
    assert again.find("other", ["word1", "word2", "\ud800"]) == {
        "word1": "(ROOT (X word1))",
        "\ud800": "(ROOT (X \u00e9))",
    }
    cache.keep("one", {"word1": "(ROOT (JJ word1))"})
    assert again.find("one", ["word1"]) == {"word1": "(ROOT (JJ word1))"}


def test_a_text_is_parsed_once(tmp_path):
    backend, cache = Recording(), TreeCache(tmp_path / "trees.sqlite")
    assert parse_texts(backend, ["a", "b", "a"], cache) == {"a": tree("a"), "b": tree("b")}
    assert parse_texts(backend, ["b", "c"], cache) == {"b": tree("b"), "c": tree("c")}
    assert backend.asked == ["a", "b", "c"]
    parse_texts(Recording("another"), ["a"], cache)
    assert parse_texts(Recording(), ["a"]) == {"a": tree("a")}


def test_what_was_parsed_before_an_error_is_kept(tmp_path):
    cache = TreeCache(tmp_path / "trees.sqlite")
    with pytest.raises(ParserError, match="cannot parse word777"):
        parse_texts(Recording(broken="word777"), TEXTS, cache)
    assert cache.find("recording", TEXTS) == {text: tree(text) for text in TEXTS[:777]}
    backend, done = Recording(), []
    parse_texts(backend, TEXTS, cache, done.append)
    assert backend.asked == TEXTS[777:]
    assert done == list(range(778, 1201))


class Wrong(Recording):
    def stream(self, texts):
        for text in texts:
            yield text, tree("elsewhere" if text == "b" else text)


def test_a_tree_of_another_text_is_refused_and_not_kept(tmp_path):
    cache = TreeCache(tmp_path / "trees.sqlite")
    with pytest.raises(ParserError) as error:
        parse_texts(Wrong(), ["a", "b", "c"], cache)
    assert str(error.value).startswith(
        "the parser (recording) gave a tree that is not its text's, 'b': at character 11 of"
    )
    assert cache.find("recording", ["a", "b", "c"]) == {"a": tree("a"), "c": tree("c")}


def test_half_a_character_keeps_no_other_tree_from_being_kept(tmp_path):
    cache, texts = TreeCache(tmp_path / "trees.sqlite"), ["a", "\ud800", "b"]
    assert parse_texts(Recording(), texts, cache) == {text: tree(text) for text in texts}
    assert cache.find("recording", texts) == {text: tree(text) for text in "ab"}


KEEPER = """
import sys, time
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache
cache = TreeCache(sys.argv[1])
for number in range(int(sys.argv[3])):
    cache.keep(sys.argv[2], {f"word{number}": f"(ROOT (NN word{number}))"})
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_new_file_may_be_opened_by_many_at_once(tmp_path):
    at_once, openers = 8, range(8)
    for number in range(20):
        cache, together = TreeCache(tmp_path / f"{number}.sqlite"), Barrier(at_once)

        def keep(opener, cache=cache, together=together):
            together.wait()
            cache.keep(str(opener), {"a": tree("a")})

        with ThreadPoolExecutor(at_once) as executor:
            list(executor.map(keep, openers))
        assert all(cache.find(str(opener), ["a"]) == {"a": tree("a")} for opener in openers)


@pytest.mark.slow
def test_two_processes_may_keep_trees_at_once(tmp_path):
    path = tmp_path / "trees.sqlite"
    keepers = [NewProcess(KEEPER, path, name, 200) for name in ("one", "other")]
    for each in keepers:
        assert each.stdout.readlines()[-1] == "199\n"
        assert each.wait() == 0
    for name in ("one", "other"):
        assert len(TreeCache(path).find(name, TEXTS)) == 200


@pytest.mark.slow
def test_a_killed_process_leaves_all_that_it_kept(tmp_path):
    path = tmp_path / "trees.sqlite"
    keeper = NewProcess(KEEPER, path, "one", 100_000)
    for line in keeper.stdout:
        if int(line) == 50:
            keeper.kill()
            break
    assert keeper.wait() == -signal.SIGKILL
    found = TreeCache(path).find("one", TEXTS)
    assert set(TEXTS[:51]) <= set(found)
    TreeCache(path).keep("one", {"more": tree("more")})


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("This is no database at all. " * 100, encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE trees (height REAL)")
    for use in (lambda cache: cache.find("one", ["a"]), lambda cache: cache.keep("one", {"a": tree("a")})):
        with pytest.raises(ValueError, match=r"other\.sqlite: .* expected a file of parse trees \(SQLite\)"):
            use(TreeCache(tmp_path / "other.sqlite"))
    with pytest.raises(ValueError, match=r"notes\.txt: file is not a database; expected a file of parse trees"):
        TreeCache(tmp_path / "notes.txt").find("one", ["a"])
    with pytest.raises(ValueError, match="expected a file of parse trees"):
        TreeCache(tmp_path).keep("one", {"a": "(ROOT (NN a))"})
