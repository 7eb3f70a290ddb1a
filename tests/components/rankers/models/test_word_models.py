# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is true of every model, whatever it computes; a model's own test file has what is true of it alone."""

import json

import hypothesis
import pytest
import torch
from hypothesis import strategies as st
from torch.nn import functional

from computed_twice import assert_same_scores
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.linear import COUNTING, LinearModel
from haystack_integrations.components.rankers.answer_selection.models.record import Record
from haystack_integrations.components.rankers.answer_selection.models.word_model import Texts, WordModel
from haystack_integrations.components.rankers.answer_selection.training.device import native_precision
from haystack_integrations.components.rankers.answer_selection.training.losses import LOSSES
from new_process import python

SMALL = {
    "ap_bilstm": [{"hidden_size": 4}],
    "bm25": [{}],
    "ctrn": [{"hidden_size": 6}, {"hidden_size": 5, "alignment": "ratio", "kernel_width": 3, "mlp_layers": 2}],
    "ggsa": [
        {"projection_size": 6, "heads": 3, "group_size": 4, "offset": 2},
        {"projection_size": None, "heads": 2, "group_size": 3, "offset": 0, "blocks": 2, "shared_encoder": True},
        {"projection_size": 6, "heads": 2, "attention": "global", "gate": False, "head": "mlp", "mlp_layers": 2},
        {"projection_size": 6, "heads": 1, "attention": "local", "group_size": 6, "composition": "attention"},
    ],
    "hmda": [
        {"filters": 16},
        {"filters": 4, "word_attention": "horizontal", "filter_widths": [1, 4], "squeeze_size": 3},
        {"filters": 12, "word_attention": "reduced", "projection_size": None},
        {"filters": 10, "squeeze_together": True, "shared_aggregation": False},
    ],
    "idf_overlap": [{}],
    "iggsa": [
        {"projection_size": 6, "heads": 3, "group_size": 4, "offset": 2},
        {"projection_size": None, "heads": 2, "composition": "attention", "shared_encoder": True},
        {"projection_size": 6, "heads": 2, "composition": "multihop", "hop_lstm_size": 3, "blocks": 2},
    ],
    "linear": [{}, {"pair_features": ["overlap", "bm25", "soft_share"], "batch_norm": False}],
    "lstm": [
        {"hidden_size": 4},
        {"hidden_size": 6, "bidirectional": False, "composition": "mean"},
        {"hidden_size": 4, "composition": "last"},
        {"hidden_size": 4, "composition": "attention"},
        {"hidden_size": 4, "composition": "multihop", "hop_lstm_size": 3},
    ],
    "qrnn": [{"hidden_size": 6}, {"hidden_size": 5, "kernel_width": 1, "projection_size": None}],
    "transformer": [{"projection_size": 6, "heads": 3}],
    "word_overlap": [{}],
}
"""Small configurations of every model. The first is also tried with match channels, and two models' with all VIEWS."""

SIZES = {"embedding_size": 8, "projection_size": 7, "mlp_size": 5, "max_query_length": 600, "max_answer_length": 600}
FEATURES = ["overlap", "idf_overlap", "soft_share", "bm25", "cosine", "retrieved_bm25"]
VIEWS = {
    "features": {"pair_features": FEATURES, "feature_shortcut": True, "batch_norm": True},
    "channels": {"match_channels": True},
    "channels-features": {"match_channels": True, "pair_features": FEATURES},
    "cosine": {"head": "cosine", "cosine_scale": 3.0},
    "cosine-features": {"head": "cosine", "pair_features": FEATURES, "batch_norm": True},
    "linear": {"head": "linear", "pair_features": FEATURES, "batch_norm": True},
}
HEAD = {"cosine_scale", "pair_features", "batch_norm"}  # of the views: what no encoder sees


def _cases():
    for name, configurations in SMALL.items():
        for number, options in enumerate(configurations):
            yield f"{name}-{number}", (name, options)
        for view, more in VIEWS.items():
            # Heads are the same for all models: one that makes a vector of an answer has them, and one that does not.
            # A counting baseline is a linear model that begins otherwise.
            if name in ("qrnn", "ctrn") or (view == "channels" and name not in COUNTING):
                yield f"{name}-{view}", (name, configurations[0] | more)


def _where(kept):
    return pytest.mark.parametrize("case", [case for case, (name, options) in CASES.items() if kept(name, options)])


CASES = dict(_cases())
every_case = pytest.mark.parametrize("case", CASES)
# What concerns the encoders alone need not be tried under every head.
every_encoder = _where(lambda _, options: not options.keys() & HEAD)
# With match channels every pair has a question and an answer of its own.
every_case_with_answers_apart = _where(lambda _, options: "match_channels" not in options)

ANSWERS = [
    "The reading room closes at eight on weekdays.",
    "A lost card is replaced at any desk for two dollars, and a new one is printed while you wait.",
    "No.",
    "Renew a loan online, by telephone or at a desk, as often as you like unless somebody else waits for the book.",
    "The room on the second floor can be booked for two hours a day.",
    "",
]
QUESTIONS = [
    "When does the reading room close?",
    "Is there a charge for replacing a card that I lost at a desk?",
    "How often do you renew a loan of a book?",
    "Warum? zyx",  # no word that is known
]
RECORDS = [
    Record(question, answer, meta={"vector_score": 0.1 * len(question) % 0.7, "bm25_score": 0.3 * len(answer)})
    for question in QUESTIONS
    for answer in ANSWERS
]


def build(case, **more):
    name, options = CASES[case]
    known = registry.MODELS[name].config_class().to_dict()
    sizes = {option: value for option, value in SIZES.items() if option in known}
    torch.manual_seed(3)
    model, collator = registry.build(name, ANSWERS + QUESTIONS[:3], ANSWERS, **{**sizes, **options, **more})
    return model.eval(), collator


def as_if_trained(model):
    """Give biases, and words that matter: else small sums lie beside the kink of ReLU, and maxima beside each other."""
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.data.normal_(0, 0.3)
    model.get_input_embeddings().weight.data.mul_(3)


def half(model, dtype):
    """As `registry.load` gives it: all in half precision but for the head."""
    model.to(dtype).classifier.float()
    return model


def scores(model, collator, records):
    with torch.no_grad():
        return model(**collator(records))


def with_given_answers(model, batch):
    """The logits where the answers' encodings are made first, one at a time, and padded with what would be noticed."""
    rows = [
        model.answer_encodings(
            batch["answer_ids"][i : i + 1, : batch["answer_lengths"][i]], batch["answer_lengths"][i : i + 1]
        )
        for i in range(len(batch["answer_ids"]))
    ]
    if model.answer_vector_size is None:
        values = torch.nn.utils.rnn.pad_sequence([row.values[0] for row in rows], batch_first=True, padding_value=1e3)
    else:
        values = torch.cat([row.values for row in rows])
        assert values.shape == (len(rows), model.answer_vector_size)
    pairs = model.read(**batch)
    answers = Texts(values, batch["answer_lengths"])
    compared = model.compare(model.encode_questions(pairs.questions), answers, pairs.question_of)
    return model.head_logits(*compared, pairs.features)


def test_every_model_has_its_line_here():
    assert set(SMALL) == {name for name, model in registry.MODELS.items() if issubclass(model, WordModel)}


class TestABatch:
    @pytest.mark.slow
    @every_case
    @pytest.mark.parametrize("precision", ["float32", "bfloat16"])
    def test_a_pairs_logit_does_not_depend_on_it(self, case, precision):
        model, collator = build(case)
        if precision == "bfloat16":
            half(model, torch.bfloat16)
        atol = 1e-5 if precision == "float32" else 1e-2
        together = scores(model, collator, RECORDS)
        assert together.dtype == torch.float32
        alone = torch.cat([scores(model, collator, [record]) for record in RECORDS])
        torch.testing.assert_close(together, alone, atol=atol, rtol=0)
        order = torch.randperm(len(RECORDS), generator=torch.Generator().manual_seed(0))
        shuffled = scores(model, collator, [RECORDS[index] for index in order])
        torch.testing.assert_close(shuffled, together[order], atol=atol, rtol=0)

    @every_case
    def test_more_padding_changes_nothing(self, case):
        model, collator = build(case)
        batch = collator(RECORDS)
        padded = {name: functional.pad(x, (0, 9)) if x.dim() == 2 else x for name, x in batch.items()}
        torch.testing.assert_close(model(**padded), model(**batch), atol=1e-5, rtol=0)

    @every_case_with_answers_apart
    def test_a_question_is_encoded_once_a_list(self, case, monkeypatch):
        model, collator = build(case)
        rows = []
        encode = model.encode_questions
        monkeypatch.setattr(model, "encode_questions", lambda words: rows.append(len(words.values)) or encode(words))
        scores(model, collator, RECORDS)
        assert rows[0] == len(QUESTIONS)

    @every_case_with_answers_apart
    def test_encodings_made_before_give_the_same_logits(self, case):
        model, collator = build(case)
        assert model.answers_apart
        expected = scores(model, collator, RECORDS)
        with torch.no_grad():
            torch.testing.assert_close(with_given_answers(model, collator(RECORDS)), expected, atol=1e-5, rtol=0)


TEXT = st.one_of(
    st.just(""),
    st.just("?!"),
    st.integers(1, 600).map(lambda length: " ".join(f"zyx{number}" for number in range(length))),
    st.tuples(st.integers(1, 600), st.integers(0, 50)).map(
        lambda drawn: " ".join((" ".join(ANSWERS + QUESTIONS).split() * 9)[drawn[1] :][: drawn[0]])
    ),
)


@pytest.mark.slow
@every_encoder
@hypothesis.settings(max_examples=6, deadline=None, database=None)
@hypothesis.given(lists=st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=3))
def test_texts_of_any_length_and_none(case, lists):
    model, collator = build(case)
    records = [Record(question, answer) for question, answers in lists for answer in answers]
    together = scores(model, collator, records)
    assert together.shape == (len(records),)
    assert together.isfinite().all()
    alone = torch.cat([scores(model, collator, [record]) for record in records])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)
    if model.answers_apart:
        with torch.no_grad():
            given_before = with_given_answers(model, collator(records))
        torch.testing.assert_close(given_before, together, atol=1e-5, rtol=1e-5)


class TestTraining:
    @pytest.mark.slow
    @every_case
    def test_gradients_by_finite_differences(self, case):
        model, collator = build(case)
        model.double()
        as_if_trained(model)
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm1d):
                module.train()  # in evaluation it is only a factor
        records = [RECORDS[index] for index in (0, 2, 3, 7, 8, 14)]
        batch = {name: x.double() if x.is_floating_point() else x for name, x in collator(records).items()}
        weights = torch.linspace(-1, 1, len(records), dtype=torch.float64)
        (model(**batch) * weights).sum().backward()
        generator = torch.Generator().manual_seed(4)
        for name, parameter in model.named_parameters():
            if name == "embedding.weight" and model.config.matches_words:
                continue  # soft matches see word vectors as they are, without a gradient
            direction = torch.randn(parameter.shape, dtype=torch.float64, generator=generator)
            values = []
            with torch.no_grad():
                for step in (1e-6, -1e-6):
                    parameter.add_(direction, alpha=step)
                    values.append((model(**batch) * weights).sum())
                    parameter.sub_(direction, alpha=step)
            expected = (values[0] - values[1]) / 2e-6
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            torch.testing.assert_close(
                (gradient * direction).sum(), expected, atol=1e-6, rtol=1e-4, msg=lambda m, n=name: f"{n}: {m}"
            )

    @pytest.mark.slow
    @every_case
    def test_learns_a_small_set_by_heart(self, case):
        known = registry.MODELS[CASES[case][0]].config_class().to_dict()
        easier = {rate: 0.0 for rate in known if rate.endswith("dropout")} | {"mlp_size": 16, "batch_norm": False}
        model, collator = build(case, **{option: value for option, value in easier.items() if option in known})
        model.train()
        batch = collator(RECORDS[: 3 * len(ANSWERS)])
        labels = torch.tensor([[1.0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]])
        optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
        sizes = torch.tensor([len(ANSWERS)] * 3)
        for _ in range(200):
            loss = LOSSES["pairwise"](model(**batch), labels.flatten(), sizes, margin=0.5)
            if loss.item() == 0:
                break
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        assert loss < 0.02
        model.eval()
        assert torch.equal(scores(model, collator, RECORDS[:18]).view(3, -1).argmax(1), labels.argmax(1))

    @every_case
    def test_the_same_seed_gives_the_same_model_and_the_same_steps(self, case):
        results = []
        for _ in range(2):
            model, collator = build(case)
            model.train()
            torch.manual_seed(5)
            # Adam would make whole steps of gradients that are rounding alone.
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            for _ in range(2):
                optimizer.zero_grad()
                model(**collator(RECORDS)).square().sum().backward()
                optimizer.step()
            results.append(model.state_dict())
        for name, values in results[0].items():
            assert_same_scores(values, results[1][name])

    @every_case
    def test_autocast_computes_about_the_same(self, case):
        model, collator = build(case)
        if model.config.model_type in ("lstm", "ap_bilstm") and native_precision() == "float32":
            pytest.skip("oneDNN has no LSTM in bfloat16 for this CPU; training takes float32 there")
        batch = collator(RECORDS)
        results = []
        for enabled in (False, True):
            model.zero_grad()
            with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
                logits = model(**batch)
            assert logits.dtype == torch.float32
            logits.sum().backward()
            gradients = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
            results.append((logits.detach(), torch.cat(gradients)))
        (exact, gradient), (rounded, rounded_gradient) = results
        torch.testing.assert_close(rounded, exact, atol=5e-2, rtol=5e-2)
        # Element by element they may differ: where two words are about the greatest, another one is.
        assert functional.cosine_similarity(gradient, rounded_gradient, dim=0) > 0.99


@every_case
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_computes_about_the_same(case, dtype):
    model, collator = build(case)
    exact = scores(model, collator, RECORDS)
    torch.testing.assert_close(scores(half(model, dtype), collator, RECORDS), exact, atol=5e-2, rtol=5e-2)


@every_case
def test_calibration_scales_the_logits_and_keeps_their_order(case):
    model, collator = build(case)
    model.double()
    batch = {name: x.double() if x.is_floating_point() else x for name, x in collator(RECORDS).items()}
    before = model(**batch)
    model.scale_logits(2.5, -0.75)
    after = model(**batch)
    torch.testing.assert_close(after, 2.5 * before - 0.75, atol=1e-12, rtol=1e-10)
    # What is given as equal stays equal, whatever the last bit says.
    assert torch.equal(after.argsort(stable=True), before.argsort(stable=True))


SCRIPT = """
import json, sys
from pathlib import Path
import torch
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record
records = [Record(query, answer, meta=meta) for query, answer, meta in json.loads(sys.argv[2])]
torch.set_num_threads(int(sys.argv[3]))
found = {}
with torch.no_grad():
    for folder in Path(sys.argv[1]).iterdir():
        model, collator = registry.load(folder)
        found[folder.name] = model(**collator(records)).tolist()
print(json.dumps(found))
"""


@pytest.mark.slow
def test_saved_and_run_in_a_new_process_every_model_scores_the_same(tmp_path):
    expected = {}
    for case in CASES:
        model, collator = build(case)
        registry.save(tmp_path / case, model, collator)
        expected[case] = scores(model, collator, RECORDS).tolist()
    records = json.dumps([(record.query, record.answer, record.meta) for record in RECORDS])
    process = python(SCRIPT, tmp_path, records, torch.get_num_threads())
    assert process.returncode == 0, process.stderr
    found = json.loads(process.stdout.splitlines()[-1])
    assert found.keys() == expected.keys()
    for case, logits in expected.items():
        assert_same_scores(found[case], logits)


# Torch's LSTM, and the numba kernel of the recurrence with its checks, are called between two graphs.
IN_PARTS = {"ap_bilstm", "lstm", "qrnn"}


@pytest.mark.slow
@_where(lambda name, options: options in SMALL[name] and not issubclass(registry.MODELS[name], LinearModel))
@pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`-wrapped:UserWarning")
def test_compiled_encoders_give_the_same_encodings(case):
    model, _ = build(case)
    torch.manual_seed(6)
    size = model.config.word_size
    texts = Texts(torch.randn(3, 9, size), torch.tensor([9, 1, 4]))
    torch._dynamo.reset()
    for encode in (model.encode_questions, model.encode_answers):
        with torch.no_grad():
            compiled = torch.compile(encode, backend="aot_eager", fullgraph=CASES[case][0] not in IN_PARTS)(texts)
            expected = encode(texts)
        assert torch.equal(compiled.lengths, expected.lengths)
        for row, length in enumerate(texts.lengths):
            real = slice(length if expected.values.ndim == 3 else None)  # beyond it anything may stand
            torch.testing.assert_close(compiled.values[row][real], expected.values[row][real], atol=1e-6, rtol=1e-6)
