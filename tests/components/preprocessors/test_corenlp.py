# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The client of CoreNLP with the real server: its trees, what it does when the server hangs or dies, and goes on."""

import http.server
import json
import re
import threading
import time

import pytest
from haystack import Document

from answer_selection.indexing.text.tree import read_tree
from corenlp_server import CoreNLPServer
from haystack_integrations.components.preprocessors.answer_selection import ConstituencyParser
from haystack_integrations.components.preprocessors.answer_selection.backend import ParserError, UnparsableError
from haystack_integrations.components.preprocessors.answer_selection.corenlp import CoreNLPBackend
from haystack_integrations.components.preprocessors.answer_selection.parsing import parse_texts
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

NOBODY = "http://127.0.0.1:9"
# What a tokenizer changes, drops or reads into one word; each has to come back as it was.
ODD_TEXTS = [
    "",
    " \n\t ",
    "He left the U.S. Then he called (555) 123-4567 \U0001f600 from a caf\u00e9\u200b in 'etc.'",
    "I can't, don't and gonna; a 1 1/2 inch soft\u00adhyphen \u2028 x\u00a0y.",
    "-lrb- see -RRB- [ x ] { y } a/b *x* \\/ `` q '' \u201cquoted\u201d $5 50% #1 & < >",
    "a \x00 b \ufffd c \ud800 d \u0301 \u200b",
    "One line.\n\nAnother paragraph\nwith a line break (and brackets) in it",
    "\u4f60\u597d \u0939\u093f\u0928\u094d\u0926\u0940 \u041e\u0442\u0432\u0435\u0442",
    ")(",
    "&nbsp;",
    "\u200b",
    "\ufeff \x00",
]


@pytest.fixture
def backend(corenlp_server):
    return CoreNLPBackend(corenlp_server.url)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._FIRST_WAIT", 0.01)


def test_trees_are_the_parsers_with_the_texts_own_words(backend):
    trees = backend.parse(
        ["The library -lrb- which I like -rrb- can't close.", "It's open. Is it?", "It's open. Is it?"]
    )
    assert trees == [
        "(ROOT (S (NP (NP (DT The) (NN library)) (SBAR (-LRB- -lrb-) (WHNP (WDT which)) (S (NP (PRP I)) "
        "(VP (VBP like))) (-RRB- -rrb-))) (VP (MD ca) (RB n't) (VP (VB close))) (. .)))",
        "(ROOT (S (NP (PRP It)) (VP (VBZ 's) (ADJP (JJ open))) (. .)) (SQ (VBZ Is) (NP (PRP it)) (. ?)))",
        "(ROOT (S (NP (PRP It)) (VP (VBZ 's) (ADJP (JJ open))) (. .)) (SQ (VBZ Is) (NP (PRP it)) (. ?)))",
    ]


@pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
def test_no_character_of_an_odd_text_is_lost(backend, text):
    [tree] = backend.parse([text])
    read = read_tree(tree, text)
    assert (not text.strip()) == (tree == "(ROOT)")
    assert (
        "".join(text[start:end] for start, end in zip(read.starts, read.ends, strict=True)).split() or not text.strip()
    )


def test_a_question_of_500_words_is_parsed_in_pieces(corenlp_server):
    text = " ".join(f"where is the book number {number}, and" for number in range(70)) + " why?"
    assert len(text.split()) > 480
    [tree] = CoreNLPBackend(corenlp_server.url, longest_sentence=40).parse([text])
    read = read_tree(tree, text)
    sentences = [span for span, parent in enumerate(read.parents) if parent == 0]
    assert len(sentences) >= 12
    lengths = [end - start for start, end in read.extents[sentences].tolist()]
    assert max(lengths) <= 40
    # At commas, where there are some.
    ends = [text[read.ends[end - 1] - 1] for _, end in read.extents[sentences].tolist()]
    assert ends == [","] * (len(ends) - 1) + ["?"]


def test_a_text_that_is_too_long_for_a_request_goes_in_several(backend, monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._LONGEST_REQUEST", 40)
    text = "The reading room is open. " * 4 + "x" * 100
    [tree] = backend.parse([text])
    read_tree(tree, text)


def test_texts_are_parsed_at_once_and_come_back_in_their_places(backend):
    texts = [f"Room {number} is open." for number in range(12)]
    assert [tree.count(f" {number})") for number, tree in enumerate(backend.parse(texts))] == [1] * 12
    assert {text for text, _ in backend.stream(texts)} == set(texts)


def test_a_server_that_hangs_is_one_error_in_time(corenlp_server):
    backend = CoreNLPBackend(corenlp_server.url, timeout=0.5, retries=1, parallel_requests=2)
    corenlp_server.pause()
    try:
        start = time.monotonic()
        with pytest.raises(ParserError) as error:
            backend.parse(["When does it close?", "And when not?"])
        assert time.monotonic() - start < 60
    finally:
        corenlp_server.resume()
    message = str(error.value)
    assert message.startswith(f"the CoreNLP server at {corenlp_server.url} parsed nothing of ")
    assert message.endswith(
        "no answer within 0.5 seconds; expected a server that is up, or a longer timeout (tried 2 times)"
    )
    assert CoreNLPBackend(corenlp_server.url).parse(["Again."])


def test_a_server_that_dies_in_the_middle_loses_nothing_and_the_run_goes_on(corenlp_server, tmp_path, monkeypatch):
    """The corpus is killed in the middle, once the server and then what asks it."""
    texts = [f"Room number {number} opens at nine." for number in range(40)]
    documents = [Document(content=text) for text in texts]
    parser = ConstituencyParser(corenlp_url=corenlp_server.url, cache=tmp_path / "trees.sqlite", retries=1)
    cache, name = TreeCache(tmp_path / "trees.sqlite"), CoreNLPBackend().name
    seen = []
    backend = CoreNLPBackend(corenlp_server.url, retries=1)

    def die(done):
        seen.append(done)
        if done == 15:
            corenlp_server.kill()

    try:
        with pytest.raises(
            ParserError, match=f"the CoreNLP server at {corenlp_server.url} parsed nothing of 'Room number"
        ):
            parse_texts(backend, texts, cache, die)
        kept = cache.find(name, texts)
        assert len(kept) == seen[-1] >= 15, "whatever was parsed is in the file"
        with pytest.raises(ParserError, match=r"no connection \(.*refused.*\); expected a server that is up"):
            parser.run(documents=documents)
    finally:
        corenlp_server.start()
    asked = []
    monkeypatch.setattr(
        CoreNLPBackend,
        "_tree",
        lambda self, text, ending, tree=CoreNLPBackend._tree: asked.append(text) or tree(self, text, ending),
    )
    done = parser.run(documents=documents)["documents"]
    assert sorted(asked) == sorted(set(texts) - set(kept)), "nothing is parsed again"
    for document, text in zip(done, texts, strict=True):
        read_tree(document.meta["parse_tree"], text)


def test_a_server_that_comes_back_is_waited_for(corenlp_server, monkeypatch):
    monkeypatch.setattr("haystack_integrations.components.preprocessors.answer_selection.corenlp._FIRST_WAIT", 3)
    corenlp_server.kill()
    back = threading.Timer(0.5, corenlp_server.start)
    back.start()
    try:
        assert CoreNLPBackend(corenlp_server.url, retries=3).parse(["It is back."])[0].startswith("(ROOT (S (NP")
    finally:
        back.join()


def test_a_server_without_its_models_says_what_is_wrong(tmp_path):
    from corenlp_server import corenlp_files

    [code] = [jar for jar in corenlp_files().glob("*.jar") if "models" not in jar.name]
    with CoreNLPServer(jars=str(code)) as server, pytest.raises(ParserError) as error:
        CoreNLPBackend(server.url, retries=0).parse(["Hello."])
    assert "500 Server Error" in str(error.value)


class Other(http.server.BaseHTTPRequestHandler):
    """A server of something else."""

    answer = b"<html>Welcome</html>"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.answer)))
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html>Welcome</html>", "its answer is no JSON; expected a CoreNLP server there"),
        (b"{}", "its answer has no sentences; expected a CoreNLP server there"),
    ],
)
def test_another_server_is_told_from_corenlp(answer, message):
    handler = type("Handler", (Other,), {"answer": answer})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        with pytest.raises(ParserError) as error:
            CoreNLPBackend(url, retries=0).parse(["Hello."])
        server.shutdown()
    assert str(error.value) == f"the CoreNLP server at {url} parsed nothing of 'Hello.': {message}"


class Choosy(Other):
    """A server that fails at some texts."""

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "bad" in text:
            self.send_error(500, "Could not parse")
            return
        ends = [(match.start(), match.end()) for match in re.finditer(r"\w+", text)]
        tokens = [{"characterOffsetBegin": begin, "characterOffsetEnd": end} for begin, end in ends]
        words = " ".join(f"(NN {text[begin:end]})" for begin, end in ends)
        answer = json.dumps({"sentences": [{"tokens": tokens, "parse": f"(ROOT (S {words}))"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@pytest.fixture
def choosy():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Choosy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield CoreNLPBackend(f"http://127.0.0.1:{server.server_port}", retries=1)
        server.shutdown()


def test_a_text_that_cannot_be_parsed_leaves_the_others_theirs(choosy, tmp_path):
    texts = [f"room {number}" if number % 9 else f"bad {number}" for number in range(1, 60)]
    cache = TreeCache(tmp_path / "trees.sqlite")
    with pytest.raises(UnparsableError, match=r"'bad \d+': 500 .*; 5 other texts could not be parsed either$"):
        parse_texts(choosy, texts, cache)
    good = [text for text in texts if "bad" not in text]
    assert set(cache.find(choosy.name, texts)) == set(good)


def test_if_nothing_can_be_parsed_it_does_not_go_through_a_whole_corpus(choosy):
    asked = []

    def texts():
        for number in range(1000):
            asked.append(number)
            yield f"bad {number}"

    with pytest.raises(UnparsableError, match="other texts could not be parsed either"):
        dict(choosy.stream(texts()))
    assert len(asked) < 30


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"parallel_requests": 0}, "parallel_requests must be at least 1, but got 0"),
        ({"retries": -1}, "retries must be at least 0, but got -1"),
        ({"longest_sentence": 1}, "longest_sentence must be at least 2, but got 1"),
        ({"timeout": 0}, "timeout must be > 0, but got 0"),
    ],
)
def test_numbers_out_of_range_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        ConstituencyParser(corenlp_url=NOBODY, **wrong)
