# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Tell from a text whether it asks, whether it names an FAQ, and what of it is only a number or a sign."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f")
"""With those of East Asia and of Arabic."""
LONGEST_QUESTION: Final = 300
"""Beyond it a line is a text."""

_NEXT_SENTENCE: Final = re.compile(r"[.!?][\"')]?\s[^\sa-z]")
# In `What is "it"?`, `How (really?)` and `Why? I thought it did not.`; not in an address such as `page?id=3`. The
# marks of East Asia and of Arabic need no space after them, and Chinese and Japanese have words that end a question.
_ASKS: Final = re.compile(
    "\\?(?:[\\s\"'`\u00b4\u201d\u2019\u00bb)\\]*!.]|$)|[\uff1f\u061f]|[\u5417\u304b][\u3002\u300d]?$"
)
# "parse(string, options?)"
_CALL: Final = re.compile(
    r"(?<=[A-Za-z0-9_])\((?!(?i:are|can|do|how|is|what|when|where|who|why)\b)[A-Za-z0-9_ .,:=|'\"\[\]{}?-]{0,200}\)"
)
# Without one before it, a question mark is a sign: in "{m,n}?", "-?".
_WORD: Final = re.compile(r"[^\W\d_]{2}")
# "When using Docker" is no question, but says when what stands below holds.
_ASKS_WITHOUT_MARK: Final = re.compile(
    r"(?i)(?!(?:when|where)\s(?!(?:any|every|no|some)thing\s)\w{1,30}ing\s)"
    r"(?:how|what|why|when|where|who|which|whose|can i|do i|should i|is it|are there)\s"
)
# What asks of the heading above it: "How do I fix this?", "Why does it happen?", "What is going on here?"
_ABOUT_IT: Final = re.compile(
    r"(?i)how (?:to|(?:can|do|should) (?:i|we|you)) "
    r"(?:avoid|correct|fix|not encounter|prevent|repair|resolve|solve|work around) "
    r"(?:it|that|them|these|this|(?:that|the|this) (?:error|failure|issue|problem|situation|warning))"
    r"|(?:how|when|why) (?:can|could|did|do|does|has|is|was) (?:it|that|this) "
    r"(?:be )?(?:happen(?:ed|ing)?|occur(?:red|ring)?)"
    r"|what (?:can cause|caused|causes|is causing) (?:it|that|this)|what (?:did|do|does) (?:it|that|this) mean"
    r"|what(?: is| was|'s) (?:(?:actually|likely|really) )?(?:going on|happening|occurring)(?: here)?"
    r"|what (?:can|do|should) (?:i|we|you) do(?: about (?:it|that|this)| now)?|how did (?:i|we|you) get here"
)
_LONGEST_ABOUT_IT: Final = 60
_TROUBLE: Final = re.compile(
    "(?:I|I['\u2019](?:m|ve)|It|My|Nothing) (?=[^.:!>]*$)"
    "(?=.*\\b(?:ca|could|did|do|does|has|have|is|are|was|were|wo)n['\u2019]t\\b"
    r"|.*\b(?:broken|cannot|charged|crash(?:es|ed)?|damaged|declined|disappear(?:s|ed)|errors?|expired|fail(?:s|ed)?"
    r"|forgot(?:ten)?|freezes|hangs|keeps|locked|lost|missing|never|no longer|not|refused|rejected|slow|stuck|twice"
    r"|wrong)\b)"
)
# "When I print, I get an empty page", "My admin moved the file and now it is gone", "I have it, but...", "On some
# systems, when I print, it crashes"
_TOLD_AT_LENGTH: Final = re.compile(
    "(?:(?:At|In|On|Under|With) [^,.!?]{1,40}, )?(?:[Aa]fter|[Ee]very time|[Ii]f|[Ss]ince|[Ww]hen(?:ever)?)? ?"
    "(?:I|I['\u2019](?:m|ve)|[Mm]y|We) (?=.{20})"
    "(?=.*\\b(?:but|cannot|crash(?:es|ed)|does not|errors?|fails?|get|gone|keeps|messages?|problems?|will|wrong"
    "|\\w+n['\u2019]t)\\b)"
)
# "Payment declined", "The form is not shown", "The app won't open at all", "App crashes on start", "Error 421"
_FAILURE: Final = re.compile(
    "(?=[A-Z])(?!(?:All|Do|If|Never|No|Only|Our|Please|We|What|When|Where|Which|Who|You|Your) )"
    "(?!.{0,120} (?:after|have|if|that|when|which|who) )(?:(?:[\\w'\u2019-]{1,40} ){1,9}"
    "(?:crashe[sd]|declined|denied|disappeared|expired|fail(?:ed|s)|freezes|hangs|missing|refused|rejected|lost"
    "|crashes (?:on|at|during) \\w{1,40}|keeps \\w{1,40}ing"
    "|(?:not|(?:ca|did|do|does|is|are|was|wo)n['\u2019]t) [\\w-]{1,40}(?: [\\w-]{1,40}){0,3})"
    "|Error [\\w-]{1,40})"
)
# "Still have questions?" and "Need more help?" in other languages.
_STILL_ASKS: Final = (
    r"(?:(?:haben sie|hast du|habt ihr|sie haben|noch|weitere|andere|offene) )+fragen|"
    r"(?:(?:brauchen sie|brauchst du|sie brauchen|noch|weitere|mehr) )+hilfe|"
    r"(?:(?:vous avez|avez-vous|tu as|encore|d'autres|une|des) )+questions?|(?:vous avez |avez-vous )?besoin d'aide|"
    r"¿(?:(?:aún|todavía|tienes|tiene|tienen|más|otras?|alguna) )+(?:dudas?|preguntas?)|¿necesitas? (?:más )?ayuda|"
    r"(?:(?:hai|avete|ancora|altre|delle|qualche) )+(?:domand[ae]|dubbi)|(?:hai|avete) bisogno di aiuto|"
    r"(?:(?:ainda|tem|ficou com|alguma|mais|outras) )+(?:dúvidas?|perguntas?)|precisa de (?:mais )?ajuda|"
    r"(?:(?:heb je|heeft u|nog|andere|meer|een) )+vra(?:gen|ag)|(?:nog |meer )?hulp nodig|"
    r"har du (?:(?:fler|andra|några) )*frågor|masz (?:(?:jeszcze|inne|więcej|dodatkowe) )*pytania|"
    r"(?:(?:остались|\u0443 вас|есть|ещ[её]|другие) )+вопросы|нужна помощь|masih (?:ada|punya) pertanyaan"
)
# What a page asks its readers, not they it; with plain apostrophes.
_OF_THE_PAGE: Final = re.compile(
    r"(?i)(?:(?:so |and )?how (?:can|may) we help(?: you)?(?: today)?"
    r"|(?:do you |you )?(?:still )?(?:have|got)? ?(?:a |any |more |other |further |unanswered )*questions?"
    r"(?:\? [^?]{1,40})?"
    r"|(?:was this )?helpful|rate this (?:article|page|answer)|how can we improve(?: (?:it|this(?: \w+)?))?"
    r"|(?:did|was|is|were) (?:this|that|these|it|we|you) ?(?:\w+ ){0,4}"
    r"(?:help(?:ful)?|useful|answered|question|looking for)(?: (?:you|to you|your question|for you))?"
    r"|(?:still )?(?:can(?:no|')?t|could(?: not|n't)|did(?: not|n't)) (?:you )?find "
    r"(?:what you|the answer|an answer|your (?:question|answer))[^?]*"
    r"|(?:do you )?(?:still )?(?:need|want) (?:more |further |some |any )*(?:help|support|assistance|information)"
    r"|ready to [^?]{1,40}|still (?:stuck|unsure|confused)|(?:do you )?want to (?:know|learn|find out) more"
    r"|what(?:'s| is) next|where (?:to go|do i go|next)(?: from here| next)?"
    r"|(?:not |are you )?(?:finding )?what you(?: are| were|'re) looking for"
    rf"|{_STILL_ASKS})\s*[?!.]*"
)
_OF_THE_PAGE_LONGEST: Final = 80

_FAQ_WORDS: Final = (
    r"faqs?|f\.a\.q\.?|f a q|frequently[ -]asked(?: questions?)?|questions? frequently asked|"
    r"common(?:ly)?(?: asked)? questions|"
    r"questions (?:and|&) answers|q ?& ?as?|questions? (?:fréquentes|courantes)|foire aux questions|"
    r"häufige? (?:gestellte )?fragen|häufig gestellte fragen|preguntas frecuentes|domande frequenti|"
    r"perguntas frequentes|veelgestelde vragen|vanliga frågor|często zadawane pytania|часто задаваемые вопросы|"
    r"často kladené (?:otázky|dotazy)|usein kysytyt kysymykset|gyakran (?:ismételt|feltett) kérdések|"
    r"често задавани въпроси|често постављана питања|câu hỏi thường gặp|자주 묻는 질문|"
    r"よくある(?:質問|ご質問)|常见问题"
)
_NAMES_FAQ: Final = re.compile(rf"(?i)(?<!\w)(?:{_FAQ_WORDS})(?!\w)")
_IS_FAQ: Final = re.compile(rf"(?i)(?:the |general |our )?(?:{_FAQ_WORDS})(?: \(.{{1,60}}\))?:?")
_TROUBLESHOOTING: Final = (
    "trouble[ -]?shooting|fehlerbehebung|fehlersuche|problembehandlung|problembehebung|dépannage|"
    "(?:solución|resolución) de problemas|risoluzione dei problemi|(?:solução|resolução) de problemas|"
    "problemen oplossen|probleemoplossing|felsökning|rozwiązywanie problemów|устранение (?:неполадок|неисправностей)|"
    "トラブルシューティング|故障排除|疑难解答"
)
_IS_TROUBLESHOOTING: Final = re.compile(rf"(?i)(?<!\w)(?:{_TROUBLESHOOTING})(?!\w)")
_TROUBLES: Final = re.compile(
    rf"(?i)(?<!\w)(?:{_TROUBLESHOOTING}|(?:known|common) (?:issues|problems|errors)|problem solving)(?!\w)"
)
# What a title of such a page goes on with: "guide", "the printer", "of errors", "problems with it".
_BEHIND_TROUBLES: Final = frozenset(
    "a an bei common de del della der des di du errors faq for from guide het im in issues my of on our page problems "
    "steps that the tips van von when with your".split()
)
_BESIDE_ANOTHER: Final = frozenset("and & und et y e en och i и".split())
_LONGEST_TITLE: Final = 200
# "I'm a teacher, and I need it for my class", "I want it": who asks speaks, not who answers.
_ABOUT_ONESELF: Final = ("I am ", "I have ", "I'm ", "I've ", "I\u2019m ", "I\u2019ve ", "My ")
_IN_NEED: Final = ("I need ", "I want ")
_JOINS: Final = frozenset(["and", "because", "but", "so"])
_SIGNS_OF_SENTENCES: Final = frozenset(".:!?")
_FEWEST_WORDS: Final = 7
_LONGEST_TROUBLE: Final = 120
# A term, a cell or a heading that only says what stands behind it.
ONLY_Q: Final = re.compile(r"(?i)(?:q|question|frage)[ ]?[0-9]{0,4}[ ]?[.:)]?")
ONLY_A: Final = re.compile(r"(?i)(?:a|ans|answer|antwort)[ ]?[0-9]{0,4}[ ]?[.:)]?")
TITLE_SIGNS: Final = re.compile(r"\s[-|\u2013\u2014\u00b7\u2022\u00bb\u203a]\s|:\s")
# A section that leads somewhere else.
_NO_QUESTION: Final = re.compile(
    r"(?i)(?:(?:faq:? )?(?:table of |list of |detailed |short )?contents|inhalt(?:sverzeichnis)?|übersicht|sommaire|"
    r"table des matières|índice|indice|inhoud(?:sopgave)?|on this page|in this (?:article|section)|navigation|see also|"
    r"further reading|next steps|newsletter|sponsors|backers|references|related(?: .{1,40})?|"
    r"recent (?:posts|articles|comments)|comments|search|tags|"
    r"leave a (?:reply|comment)|share(?: this.{0,20})?|categories|archives|index|(?:previous|next) topic|this page|"
    r"(?:foot)?notes|external links|answer|"
    r"feedback|attachments|licen[cs]e|copyright|"
    r"contributing|contributors?|credits|acknowledge?ments|(?:recently viewed|most viewed|popular) ?"
    r"(?:articles|topics|questions)?|(?:other )?articles in this (?:section|category|collection))"
)
# Of these, what a site adds to its pages. With a number it is a section of the text.
_OF_A_SITE: Final = re.compile(r"(?i)feedback|comments|search|tags|attachments")
_BEGINS_WITH_A_NUMBER: Final = re.compile(r"(?:[A-Z]\.)?[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}[.:)]?\s")
# Of these, what belongs to no answer even where it stands below a question.
_AROUND: Final = re.compile(
    r"(?i)related (?:articles|posts|topics|pages|content|faqs|questions)|recent (?:posts|articles|comments)|"
    r"leave a (?:reply|comment)|share this.{0,20}|"
    r"(?:recently viewed|most viewed|popular) (?:articles|topics|questions)|"
    r"(?:other )?articles in this (?:section|category|collection)"
)
_REMEDIES: Final = r"answers?|solutions?|resolutions?|fix(?:es)?|work-?arounds?|remed(?:y|ies)"
_HOW_TO_MEND: Final = r"how to (?:avoid|fix|prevent|resolve|solve)(?: (?:it|this))?"
# "Solution 2", "Option 1: Wait", "Step 3 - Start it again".
_ONE_OF_SOME: Final = rf"(?:{_REMEDIES}|approach|method|option|step) #?[0-9]{{1,2}}(?:\s?[-:.)\u2013\u2014].{{0,200}})?"
_REMEDY: Final = re.compile(rf"(?i)(?:.{{1,30}} )?(?:{_REMEDIES})(?:\(e?s\))?|{_HOW_TO_MEND}|{_ONE_OF_SOME}")
_PART: Final = (
    r"(?:(?:possible|probable|likely|common|root|suggested|proposed|recommended|temporary) )?"
    r"(?:symptoms?|causes?|reasons?|problem|description|details|limitations|error(?: messages?)?|"
    rf"diagnos(?:is|e|ing|tics?)|explanations?|{_REMEDIES})(?:\(e?s\))?"
)
_PART_OF_AN_ANSWER: Final = re.compile(
    rf"(?i){_PART}(?: (?:and|&|/) {_PART})?|what you (?:(?:may|might|will) )?see|caused by|{_HOW_TO_MEND}"
    rf"|{_ONE_OF_SOME}|(?:in )?summary|tl;?dr|(?:short|long) answer"
)
# All that is said by what opens an answer, where the question stands above it.
_ANY_WORD: Final = re.compile(r"\w+")
_OPENING: Final = frozenset(
    "a all an answer answers antwort anzeigen click collapse detail details display expand explanation for full here "
    "hidden hide hint info information it la lösung me mehr more mostrar open our please press read response respuesta "
    "reveal réponse see show solution solutions tap the this to toggle unfold ver view voir your".split()
)
_TOPICS: Final = (["display"], ["response"], ["information"])
_LONGEST_OPENING: Final = 60

# "3.1.2. ", "3.1 How", "2) ", "(4) ", "A.1. ", "B12. ", "FAQ-PAY100: ", "Chapter 7. ", "Q: ", "Q12. ", "Question 3: ".
_MARK: Final = re.compile(
    r"(?:(?i:chapter|section|appendix|part)\s+(?:[0-9]+(?:\.[0-9]+)*|[A-Z])\s*[.:)\u2014-]\s*"
    r"|(?P<question>Q\s[0-9]{1,3}(?:\.[0-9]{1,3})+[a-z]?\s+"
    r"|(?i:question|q|frage|domanda|pregunta|pergunta|vraag|вопрос)\s?[0-9]*(?:\.[0-9]+)*\s?[.:)\u2014]\s*"
    r"|Q[0-9]+(?:\.[0-9]+)*\s+)"
    r"|\(?(?:[A-Z]\.)?[0-9]{1,4}(?:\.[0-9]{1,4})*\s?[.:)](?!\S)\s*"
    r"|[A-Z][0-9]{1,3}[.)](?!\S)\s*|[0-9]{1,3}[a-z]\.(?!\S)\s*|FAQ-[A-Z]{0,9}-?[0-9]{1,4}\s?[.:]\s+"
    r"|\[(?:[A-Z]|(?:[A-Z]\.)?[0-9]{1,3}(?:\.[0-9]{1,3}){0,3})\](?!\S)\s*|[0-9]{1,3}\u3001\s*"
    r"|(?:[A-Z]\.)?[0-9]{1,4}(?:\.[0-9]{1,4})+\s+(?=[^\sa-z0-9]))"
)
# "- Question: How?", "1.1 - How?"
_DASH: Final = re.compile(r"-\s+(?=\w)")
# Where most headings are numbered: "2 Compilation", "2.1 error: register not found", "B Licences".
_NUMBER: Final = re.compile(r"(?:[A-Z]\.)?[0-9]{1,3}(?:\.[0-9]{1,3})*\.?\s+(?=\S)")
# "A1 Payment", "A1.2 How do I pay?": only where they count on; "E12 No paper" may be what a display says.
_LETTERED: Final = re.compile(r"(?P<letter>[A-Z])(?P<numbers>[0-9]{1,3}(?:\.[0-9]{1,3}){0,3})\s+(?=\S)")
_BULLETS: Final = "\u00bb\u203a\u2022\u25b8\u25b6\u25ba\u25be\u25bc\u25cf\u25a0\u00b7*+\u2013\u2014 "
# Where a generator shows the tag in place of it: '<a name="why"></a>Why?'.
_WRITTEN_ANCHOR: Final = re.compile(r"\s{0,9}<a (?:name|id)=[\"'][^\"'<>]{0,200}[\"']></a>")
_HEADING_SIGNS: Final = "¶§#🔗\uf0c1\uf02b↩"
OPENING_SIGNS: Final = "+-\u00d7\u2013\u203a\u2212\u2304\u25b6\u25b8\u25ba\u25bc\u25be\u25bf\u2795\u2796\uff0b \ufe0f"
"""What shows that an answer can be opened or closed."""
# "A:" before it, or "A" on a line of its own; "R.:" of Spanish.
_ANSWER_MARK: Final = re.compile(
    r"(?:- )?(?:(?:A|Ans|Answer|ANSWER|Antwort|R\u00e9ponse|Respuesta|Risposta|Resposta|Antwoord|Ответ)"
    r"(?:[0-9]*\s?:\s*|[ \t]?\n\s*)|R\.:\s+)"
)
_ANSWER_DOT: Final = re.compile(r"(?:- )?(?:A|Ans|Answer|ANSWER)[0-9]*\s?[.)]\s+")


def asks(text: str) -> bool:
    """
    Tell whether a text asks.

    :param text: a heading, or what might be a question.
    :returns: whether it has a question mark at the end of a sentence, and is not what pages ask their readers ("Was
        this helpful?", "Still have questions?").
    """
    mark = _ASKS.search(_CALL.sub("()", text) if "(" in text else text)
    return mark is not None and _WORD.search(text, 0, mark.start()) is not None and not _is_of_the_page(text)


def is_one_sentence(text: str) -> bool:
    """
    Tell whether a line ends with its first sentence.

    :param text: the line; numbers and marks before it are no sentence.
    :returns: whether no other sentence begins in it.
    """
    return _NEXT_SENTENCE.search(without_marks(text)[0]) is None


def seems_to_ask(text: str) -> bool:
    """
    Tell whether a text of an FAQ asks, perhaps without a question mark.

    :param text: a heading.
    :returns: whether it asks, or begins as questions do ("How to renew a book"), and is not "How to fix it", which is
        what helps.
    """
    if asks(text):
        return True
    is_other = _is_of_the_page(text) or names_part_of_an_answer(text)
    return _ASKS_WITHOUT_MARK.match(text) is not None and not is_other


def asks_about_it(text: str) -> bool:
    """
    Tell whether a question asks of what stands above it.

    :param text: a heading.
    :returns: whether it is "How do I fix this?", "Why does it happen?" or the like.
    """
    return (
        len(text) <= _LONGEST_ABOUT_IT and _ABOUT_IT.fullmatch(text.rstrip("?!. ").replace("\u2019", "'")) is not None
    )


def tells_a_trouble(text: str) -> bool:
    """
    Tell whether a text says, as who asks would, what is wrong.

    :param text: a title between others that ask.
    :returns: whether it is "My code does not work", "I forgot my password" or the like, without a full stop.
    """
    return len(text) <= _LONGEST_TROUBLE and _TROUBLE.match(text) is not None


def tells_at_length(text: str) -> bool:
    """
    Tell whether a whole paragraph in bold print says, as who asks would, what happens.

    :param text: a paragraph between others that ask.
    :returns: whether it is "When I print, I get an empty page." or the like.
    """
    return _TOLD_AT_LENGTH.match(text) is not None


def speaks_who_asks(text: str) -> bool:
    """
    Tell whether a text is what somebody says who asks.

    :param text: a title between others that ask.
    :returns: whether it is one sentence with no mark at its end, such as "I'm a teacher, and I need it for my class".
    """
    words = text.split()
    if len(words) < _FEWEST_WORDS or not _SIGNS_OF_SENTENCES.isdisjoint(text):
        return False
    goes_on = any(word in _JOINS and after == "I" for word, after in pairwise(words))
    return text.startswith(_IN_NEED) or (goes_on and text.startswith(_ABOUT_ONESELF))


def names_a_failure(text: str) -> bool:
    """
    Tell whether a text is the name of a failure.

    :param text: a title between others, all of which ask or tell what is wrong.
    :returns: whether it is "Payment declined", "The form is not shown" or the like.
    """
    return len(text) <= _LONGEST_TROUBLE and _FAILURE.fullmatch(text) is not None


def leads_elsewhere(text: str, *, has_number: bool = False) -> bool:
    """
    Tell whether a heading can be no question, whatever stands below it.

    :param text: the heading, without its number.
    :param has_number: whether it has one: "1.5 Feedback" is no box of a site.
    :returns: whether it is "Contents", "See also", "Was this helpful?" or the like.
    """
    if has_number and _OF_A_SITE.fullmatch(text.strip(" :")):
        return False
    return bool(_NO_QUESTION.fullmatch(text.strip(" :"))) or _is_of_the_page(text)


def stands_around(text: str) -> bool:
    """
    Tell whether what stands below a heading belongs to the page and not to the answer above it.

    :param text: the heading.
    :returns: whether it is "Related articles", "Was this helpful?" or the like.
    """
    return bool(_AROUND.fullmatch(text.strip(" :"))) or _is_of_the_page(text)


def names_part_of_an_answer(text: str) -> bool:
    """
    Tell whether a heading says which part of an answer stands below it.

    :param text: the heading.
    :returns: whether it is "Symptom", "Solution", "Possible causes" or the like, and no more.
    """
    return _PART_OF_AN_ANSWER.fullmatch(text.strip(" :.")) is not None


def names_remedy(text: str) -> bool:
    """
    Tell whether a part of an answer is what helps.

    :param text: the part's heading.
    :returns: whether it is "Solution", "Temporary fix" or the like.
    """
    return _REMEDY.fullmatch(text) is not None


def only_opens(text: str) -> bool:
    """
    Tell whether a summary says no more than that something can be opened.

    :param text: the summary.
    :returns: whether it is "Show answer", "Click to expand", "Details" or the like.
    """
    words = _ANY_WORD.findall(text[: _LONGEST_OPENING + 1].lower())
    if not words or len(text) > _LONGEST_OPENING or words in _TOPICS:
        return False
    return _OPENING.issuperset(words)


def begins_with_a_prompt(text: str) -> bool:
    """
    Tell whether a text begins with what a page asks its readers.

    :param text: some lines of it.
    :returns: whether they begin with "Was this helpful?", "Need more help?" or the like.
    """
    first, mark, _ = text[:_OF_THE_PAGE_LONGEST].partition("?")
    return _is_of_the_page(" ".join(f"{first}{mark}".split()))


def _is_of_the_page(text: str) -> bool:
    if text.lower() == "questions":
        return False  # a title; "Questions?" is none
    return len(text) <= _OF_THE_PAGE_LONGEST and _OF_THE_PAGE.fullmatch(text.replace("\u2019", "'")) is not None


def names_faq(text: str) -> bool:
    """
    Tell whether a title is an FAQ's.

    :param text: a page's title or a heading.
    :returns: whether it has "FAQ", "frequently asked questions" or the like in it.
    """
    return _NAMES_FAQ.search(text) is not None


def is_troubleshooting(text: str) -> bool:
    """
    Tell whether a title is that of a page of troubles and what helps.

    :param text: a page's title, without its site's.
    :returns: whether it begins or ends with "troubleshooting", or goes on with what is mended ("the printer"), and has
        no other subject beside it.
    """
    title = without_marks(text[:_LONGEST_TITLE])[0]
    found = _IS_TROUBLESHOOTING.search(title)
    if found is None:
        return False
    before, after = title[: found.start()].lower().split(), title[found.end() :].lower().split()
    if before and (before[-1] in _BESIDE_ANOTHER or before[-1].endswith((",", "/", "&"))):
        return False  # "Installation and troubleshooting"
    if after and (after[0] in _BESIDE_ANOTHER or after[0].startswith((",", "/", "&"))):
        return False
    return not after or (after[0] in _BEHIND_TROUBLES and (not before or len(after) == 1))


def says_what_it_is(title: str) -> bool:
    """
    Tell whether a title says that a text is an FAQ, or about troubles.

    :param title: the title.
    :returns: whether it names an FAQ or "Troubleshooting".
    """
    return names_faq(title) or is_troubleshooting(title)


def begins_with_troubleshooting(text: str) -> bool:
    """
    Tell whether a heading begins with "troubleshooting".

    :param text: the heading.
    :returns: whether it does, but for a number before it.
    """
    return _IS_TROUBLESHOOTING.match(without_marks(text)[0]) is not None


def is_faq(text: str) -> bool:
    """
    Tell whether a heading is that of an FAQ, as it may be one part of a page.

    :param text: the heading.
    :returns: whether it says "FAQ", "frequently asked questions" or the like, and no more.
    """
    return len(text) <= 120 and _IS_FAQ.fullmatch(text) is not None


def names_troubles(text: str) -> bool:
    """
    Tell whether a title is that of a page about what goes wrong.

    :param text: the title.
    :returns: whether it has "Troubleshooting", "Known issues" or the like in it.
    """
    return _TROUBLES.search(text) is not None


def without_marks(text: str) -> tuple[str, bool]:
    """
    Leave out of a question what numbers it.

    :param text: the question as it stands.
    :returns: the text without "3.1.2.", "Q:", "¶" and white space around it, and whether it had a "Q:".
    """
    anchor = _WRITTEN_ANCHOR.match(text)
    text = " ".join(text[anchor.end() if anchor else 0 :].split())
    # \u00bbGerman\u00ab quotation marks are none.
    are_paired = 0 < text.count("\u00bb") == text.count("\u00ab")
    bullets = _BULLETS.replace("\u00bb", "") if are_paired else _BULLETS
    text = text.lstrip(bullets).rstrip(_HEADING_SIGNS + " ") or text
    if (opened := text.rstrip(OPENING_SIGNS)).endswith(QUESTION_MARKS):
        text = opened
    had_q = False
    while (mark := _MARK.match(text) or _DASH.match(text)) and mark.end() < len(text):
        had_q = had_q or mark.groupdict().get("question") is not None
        text = text[mark.end() :]
    return text, had_q


def without_answer_mark(text: str, *, had_q: bool) -> str:
    """
    Leave "A:" out of an answer.

    :param text: the answer as it stands.
    :param had_q: whether its question has a "Q:"; then "A." is one too.
    :returns: the text without it.
    """
    mark = _ANSWER_MARK.match(text) or (_ANSWER_DOT.match(text) if had_q else None)
    return text if mark is None else text[mark.end() :]


def begins_with_a_number(text: str) -> bool:
    """
    Tell whether a heading has a number.

    :param text: the heading as it stands.
    :returns: whether it begins with "1.5 ", "3. " or the like.
    """
    return _BEGINS_WITH_A_NUMBER.match(text) is not None


def without_numbers(titles: list[str]) -> list[str]:
    """
    Leave out of headings the numbers that have no sign after them.

    :param titles: all headings of a page.
    :returns: them, without number if there are three or more and at least half of them have one; a letter before it is
        of the number where they count on, and half have a section's.
    """
    for form, are_sure in ((_NUMBER, True), (_LETTERED, False)):
        marks = [form.match(title) for title in titles]
        found = [mark for mark in marks if mark is not None]
        if len(titles) < 3 or 2 * len(found) < len(titles):
            continue
        without = [title if mark is None else title[mark.end() :] for title, mark in zip(titles, marks, strict=True)]
        if are_sure or (_count_on(found) and _are_told_apart(found)):
            return without
    return titles


def _are_told_apart(marks: Sequence[re.Match[str]]) -> bool:
    """Whether titles of one letter differ in more than their numbers, unlike "V1 What's new?" and "V2 What's new?"."""
    titles = [(mark["letter"], mark.string[mark.end() :]) for mark in marks]
    return len(set(titles)) == len(titles)


def _count_on(marks: Sequence[re.Match[str]]) -> bool:
    """Whether each number is higher than the last one of its letter, and half are of two numbers or more."""
    numbers: defaultdict[str, list[list[int]]] = defaultdict(list)
    for mark in marks:
        numbers[mark["letter"]].append([*map(int, mark["numbers"].split("."))])
    are_rising = all(one < after for some in numbers.values() for one, after in pairwise(some))
    return are_rising and 2 * sum("." in mark["numbers"] for mark in marks) >= len(marks)
