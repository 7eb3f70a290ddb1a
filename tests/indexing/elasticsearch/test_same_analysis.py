# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tantivy's analyzer and the server's make the same terms of the same text; where they can't is written down here."""

# ruff: noqa: RUF001 - the texts are in many scripts

import json
import random
import unicodedata
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from haystack import Document

from answer_selection.indexing.analysis import LANGUAGES
from answer_selection.indexing.elasticsearch.connection import connect
from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import OWN_META, index_template, put_template
from answer_selection.indexing.entries import Entry, iter_entries
from haystack_integrations.document_stores.tantivy import TantivyDocumentStore
from haystack_integrations.document_stores.tantivy.analysis import build_analyzer, prepare
from haystack_integrations.document_stores.tantivy.folder import create_index
from haystack_integrations.document_stores.tantivy.folder import settings as index_settings

FAQ = Path(__file__).parents[3] / "indexing" / "library_faq" / "faq.jsonl"
# One or two sentences in each language, with its own letters, inflections and punctuation.
SENTENCES = {
    "arabic": "أين يمكنني تجديد بطاقة المكتبة؟ يمكن تجديد البطاقات في أي مكتب، مجاناً.",
    "danish": "Hvor kan jeg forny mit lånerkort? Kortene fornyes ved skranken på 2. sal – også om lørdagen.",
    "dutch": "Waar kan ik mijn bibliotheekpas verlengen? Passen worden aan elke balie kosteloos verlengd; één elk.",
    "english": "Where can I renew the library's cards? They're renewed at any desk (weekdays, 9:30-17:00) for $3.50!",
    "finnish": "Missä voin uusia kirjastokorttini? Kortit uusitaan millä tahansa palvelupisteellä maksutta.",
    "french": "Où puis-je renouveler ma carte d'adhérent ? Les cartes perdues sont remplacées à l'accueil, même l'été.",
    "german": "Wo kann ich meinen Ausweis verlängern? Die Bücher müssen spätestens übermorgen zurück: Straße 5.",
    "greek": "Πού μπορώ να ανανεώσω την κάρτα μου; Οι κάρτες ανανεώνονται δωρεάν σε κάθε γραφείο ΟΔΟΣ.",
    "hungarian": "Hol hosszabbíthatom meg az olvasójegyemet? A könyveket két hét múlva kell visszahozni.",
    "italian": "Dove posso rinnovare la tessera? Le tessere smarrite si sostituiscono allo sportello; perché no?",
    "norwegian": "Hvor kan jeg fornye lånekortet mitt? Bøkene må leveres innen tre uker, ellers påløper et gebyr.",
    "portuguese": "Onde posso renovar o meu cartão? Os cartões perdidos são substituídos ao balcão, até às 18h.",
    "romanian": "Unde îmi pot reînnoi permisul? Permisele pierdute se înlocuiesc la orice birou, fără taxă.",
    "russian": "Где можно продлить читательский билет? Книги возвращаются через две недели, ёлки-палки!",
    "spanish": "¿Dónde puedo renovar mi carné? Los carnés perdidos se sustituyen en el mostrador; ¡mañana también!",
    "swedish": "Var kan jag förnya mitt lånekort? Böckerna lämnas tillbaka inom två veckor, annars får man avgifter.",
    "tamil": "நூலக அட்டையை எங்கே புதுப்பிக்கலாம்? அட்டைகள் இலவசமாக புதுப்பிக்கப்படும்.",
    "turkish": "Kartımı nerede yenileyebilirim? Kaybolan kartlar her masada ücretsiz yenilenir, cumartesileri de.",
}
OTHERS = (
    "",
    " ",
    "...!?",
    "a",
    "I",
    "x y z",
    "foo_bar-baz/qux.py",
    "e-mail: help@example.org, https://example.org/a?b=c#d",
    "C++ and C#, .NET 4.5.1",
    "1,000.50 €; 3rd; 50%; 10:30; 2024-05-01",
    "don't can't it's O'Neil l'été",
    "naïve café Ångström",
    "図書館のカードはどこで更新できますか。カードは、どの窓口でも更新できます。",
    "图书馆的卡在哪里可以更新？随时都可以。",
    "도서관 카드는 어디서 갱신할 수 있나요?",
    "पुस्तकालय कार्ड कहाँ नवीनीकृत होता है?",
    "ฉันจะต่ออายุบัตรห้องสมุดได้ที่ไหน",
    "היכן ניתן לחדש את כרטיס הספרייה?",
    "کارت کتابخانه را کجا می‌توان تمدید کرد؟",
    "Ҡайҙа яңыртырға? Ќе може.",
    "𠮷野家で𝛑 ≈ 3",
    "😀 emoji👍🏽 between👩‍👩‍👧words",
    "tab\tnew\nline\r\nno\u00a0break\u200bzero\u2028line",
    "ΑΣ ΑΣΣ σς",
    "\U00010400\U00010401 deseret \U0001d7d8 digits",
    "mixed日本語and漢字English カタカナー・ひらがな ゝ々",
    "ẞ ß SS straße STRASSE",
    "ॐ नमः शिवाय क्षत्रिय",
    "a" * 254 + " stays, " + "b" * 255 + " goes",
    "٣٤٥ ۳۴۵ १२३",
    "ʻokina ʼn",
    "ǅ ǆ",
    "\u0345 \u05b0x",
    "A.B.C. U.S.A. Ph.D.",
    "—em–en-hyphen‐",
    "“quoted” ‘single’ «guillemets»",
    "snake_case CamelCase kebab-case",
    "ŁÓDŹ łódź",
)
# Of each, some texts of random characters that Unicode had in its version 13, which is that of Java 17.
BLOCKS = (
    (0x20, 0x7E), (0xA0, 0x24F), (0x250, 0x2FF), (0x370, 0x3FF), (0x400, 0x52F), (0x531, 0x58F), (0x5D0, 0x5F4),
    (0x620, 0x6FF), (0x900, 0x97F), (0xE01, 0xE5B), (0x10A0, 0x10FF), (0x1E00, 0x1EFF), (0x2000, 0x206F),
    (0x3041, 0x30FF), (0x4E00, 0x9FA0), (0xAC00, 0xD7A3), (0x1F300, 0x1F6FF), (0x20000, 0x2A6D0),
)  # fmt: skip


def random_texts() -> Iterator[str]:
    chance = random.Random(0)
    for first, last in BLOCKS:
        for _ in range(4):
            words = [
                "".join(chr(chance.randint(first, last)) for _ in range(chance.randint(1, 9)))
                for _ in range(chance.randint(1, 20))
            ]
            yield " ".join(words)


def faq_texts() -> list[str]:
    entries = [entry for entry in iter_entries(FAQ) if isinstance(entry, Entry)]
    return [f"{entry.question} {entry.answer}" for entry in entries]


@pytest.fixture(scope="module")
def server_terms(elasticsearch_node) -> Iterator[Callable[[str | None, str], list[str]]]:
    """Ask the server for the terms of a text, by language."""
    name = f"analysis-{uuid.uuid4().hex[:12]}"
    made: dict[str | None, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ELASTICSEARCH_HOSTS", elasticsearch_node.url)
        client = connect()

    def terms(language: str | None, text: str) -> list[str]:
        if language not in made:
            put_template(client, name, IndexSettings(language=language))
            made[language] = f"{name}-{len(made):06}"
            client.indices.create(index=made[language])
        found = client.indices.analyze(index=made[language], field="content", text=text)
        return [token["token"] for token in found["tokens"]]

    with client:
        yield terms
        for index in made.values():
            client.indices.delete(index=index)
        client.indices.delete_index_template(name=name)


def tantivy_terms(language: str | None, text: str) -> list[str]:
    terms: list[str] = build_analyzer(language).analyze(prepare(text))
    return terms


def test_both_cut_the_same_terms(server_terms):
    # What Tantivy normalizes first and the server does not is a matter of its own, below.
    texts = [unicodedata.normalize("NFKC", text) for text in (*SENTENCES.values(), *OTHERS, *random_texts())]
    texts += faq_texts()[:80]
    assert len(texts) >= 200
    different = [
        (text, there, here)
        for text in texts
        if (there := server_terms(None, text)) != (here := tantivy_terms(None, text))
    ]
    assert not different


@pytest.mark.parametrize("language", [None, "german"])
def test_both_name_it_in_their_settings(tmp_path: Path, language: str | None):
    store = TantivyDocumentStore(path=tmp_path / "index", language=language)
    store.write_documents([Document(id="one", content="Karten")])
    path = tmp_path / "index" / "index" / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    template = index_template("faq", IndexSettings(language=language))["template"]["mappings"]
    assert settings["analysis"] == template["_meta"][OWN_META]["analysis"]
    # An index of an earlier version, whose settings do not name it, is analysed in the same way.
    old = TantivyDocumentStore(path=tmp_path / "old", language=language)
    create_index(old.path, index_settings(language, ["content", "question"]))
    path = old.path / "index" / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    del settings["analysis"]
    path.write_text(json.dumps(settings | {"format_version": 1}), encoding="utf-8")
    (path.parent / "checksums").unlink()
    old.write_documents([Document(id="one", content="Karten")])
    assert [document.id for document in TantivyDocumentStore.open(old.path).bm25_retrieval("Karten")] == ["one"]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "dutch"])
def test_both_stem_alike(server_terms, language: str):
    text = SENTENCES[language]
    stems = server_terms(language, text)
    assert stems == tantivy_terms(language, text)
    assert stems != tantivy_terms(None, text)


@pytest.mark.parametrize(
    ("text", "on_the_server", "in_tantivy"),
    [
        # The server does not normalize: compatibility characters stay, and a mark that is not composed separates.
        ("x² ﬁne ＡＢＣ", ["x²", "ﬁne", "ａｂｃ"], ["x2", "fine", "abc"]),
        ("cafe\u0301s", ["cafe", "s"], ["cafés"]),
        ("ｶｰﾄﾞ", ["ｶｰﾄﾞ"], ["カ", "ー", "ド"]),
        # The lower case of this one letter is two characters, of which Java takes the first.
        ("İZMİR", ["izmir"], ["i̇zmi̇r"]),
        # The longest term is counted in UTF-16 units there, in UTF-8 bytes here.
        ("ж" * 200, ["ж" * 200], []),
    ],
)
def test_where_they_cut_differently(server_terms, text: str, on_the_server: list[str], in_tantivy: list[str]):
    assert (server_terms(None, text), tantivy_terms(None, text)) == (on_the_server, in_tantivy)


def test_few_english_words_have_newer_stems_in_tantivy(server_terms):
    """Tantivy 0.27 has Snowball 3, Elasticsearch 8.19 an older one, in which `university` and `universe` are one."""
    pairs = [
        pair
        for text in faq_texts()
        for pair in zip(server_terms("english", text), tantivy_terms("english", text), strict=True)
    ]
    different = [pair for pair in pairs if pair[0] != pair[1]]
    assert set(different) <= {("ad", "add"), ("even", "evening"), ("univers", "universiti")}
    assert len(different) / len(pairs) < 0.002
