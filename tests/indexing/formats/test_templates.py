# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Templates of pages: their tags are no text."""

import time
from io import BytesIO

import pytest

from answer_selection.indexing.formats.html import read
from answer_selection.indexing.formats.raw import RawEntry
from answer_selection.indexing.formats.templates import without_template_tags


def pairs(html: str) -> list[tuple[str, str]]:
    items = list(read(BytesIO(html.encode()), name="faq.html"))
    return [(item.fields["question"], item.fields["answer"]) for item in items if isinstance(item, RawEntry)]


@pytest.mark.parametrize(
    "template",
    [
        # Django.
        "{% extends 'base.html' %}\n{% load i18n %}\n{% block content %}<h2>{% trans 'How do I pay?' %}</h2>"
        "<p>{% blocktrans %}By <a href='{% url \"card\" %}'>card</a>.{% endblocktrans %}</p>{% endblock %}",
        # Jinja and Twig, whose page begins as others do.
        '<link href="{{ url_for("style") }}"><h2>{{ _("How do I pay?") }}</h2>'
        "<p>{{ 'By card.' | trans }}{# not by cheque #}</p>{% include 'foot.html' %}",
        # Handlebars.
        "{{> head}}<h2>How do I pay?</h2><p>By card.</p>{{#if user}}{{/if}}{{!-- not by cheque --}}",
        # EJS and ERB.
        "<%- include('head') -%><h2><%= t('How do I pay?') %></h2><p>By card.</p><% if (x > 3) { %><% } %>",
        # PHP, whose tag a parser would end at the first arrow.
        "<?php $this->load('head'); ?><h2><?= _('How do I pay?') ?></h2><p>By card.</p><?php $this->load('foot'); ?>",
        # Blade.
        "@extends('page')\n@section('title', 'FAQ')\n@section('content')\n<h2>{{ __('How do I pay?') }}</h2>\n"
        "<p>By card.</p>\n@include('foot')\n@endsection\n",
    ],
)
def test_tags_go_and_texts_to_be_translated_stay(template: str) -> None:
    assert pairs(template) == [("How do I pay?", "By card.")]


@pytest.mark.parametrize("question", ["{{ faq.question }}", "{{i}}. {{ faq['title'] | upper }}", "<%= faq.title %>"])
def test_what_a_program_writes_is_no_question(question: str) -> None:
    # As pages of Vue and Angular have it, too.
    loop = f"<div v-for='faq in faqs'><h2>{question}</h2><p>{{{{ faq.answer }}}}</p></div>"
    assert pairs(f"<h1>FAQ</h1><h2>How?</h2><p>So.</p>{loop}") == [("How?", "So.")]


@pytest.mark.parametrize("question", ["What is {{ name }}?", "What does {{x}} mean in a template?"])
def test_a_question_may_have_variables(question: str) -> None:
    assert pairs(f"<h1>FAQ</h1><h2>{question}</h2><p>So.</p>") == [(question, "So.")]


def test_variables_stay() -> None:
    assert pairs("{% extends 'x' %}<h2>How?</h2><p>Write to {{ address }}.</p>") == [
        ("How?", "Write to {{ address }}.")
    ]


@pytest.mark.parametrize("text", ["Write {% for x in y %}.", "Write <code>{{#if x}}</code>.", "Write {# it #}."])
def test_a_page_about_templates_is_none(text: str) -> None:
    page = f"<title>FAQ</title><h2>How do I loop?</h2><p>{text}</p>"
    assert without_template_tags(page) == page


def test_lines_keep_their_numbers_and_a_tag_without_end_is_text() -> None:
    assert without_template_tags("{% a\n\nb %}c\n{% d") == "\n\nc\n{% d"


@pytest.mark.parametrize("piece", ["{% ", "{{ _('", "<?php ", "@section(", "{% trans '", "href='{{"])
def test_long_templates_take_no_time_that_grows_with_a_power(piece: str) -> None:
    start = time.process_time()
    without_template_tags(f"@extends('x')\n{piece * 20_000}")
    assert time.process_time() - start < 2
