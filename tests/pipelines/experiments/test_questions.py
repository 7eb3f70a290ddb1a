# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import re
from pathlib import Path

import pytest

from answer_selection.indexing.corpus import iter_queries

FILES = sorted(Path(__file__).parents[3].glob("pipelines/experiments/questions/*.jsonl"))


def test_there_are_questions_to_these_faqs():
    chosen_by = ["borgbackup", "celery", "debian", "django", "emacs", "emacs-windows", "ffmpeg", "jupyterhub"]
    chosen_by += ["phpmyadmin", "privoxy", "python", "r", "sqlalchemy", "sqlite", "zsh"]
    measured = ["expect", "fftw", "git", "lsof", "mdadm"]
    unseen = ["apache-ssl", "bogofilter", "courier", "cvs", "fetchmail", "inn", "lxml", "mplayer", "numba", "nut"]
    unseen += ["perl-data", "perl-system", "procmail", "proftpd", "psycopg2", "salt", "screen", "slrn", "vsftpd", "w3m"]
    unseen += ["zlib"]
    without_their_words = ["beets", "calibre", "consul", "curl", "dep", "dnsmasq", "docutils", "etcd", "fish"]
    without_their_words += ["getmail", "nano", "netcdf", "putty", "qutebrowser", "scrapy", "slurm", "stylelint"]
    without_their_words += ["sudo", "weechat", "zoneminder"]
    in_other_words = ["casperjs", "epydoc", "gitea", "hugin", "meson", "pyx", "synapse", "tabula-py", "tuxpaint"]
    in_other_words += ["xpra", "yt"]
    asked_twice = ["ansible", "argo-rollouts", "avr-libc", "data.table", "kitty", "pelican", "podman", "ripgrep"]
    asked_twice += ["scikit-learn", "xboard", "xfig"]
    every = chosen_by + measured + unseen + without_their_words + in_other_words + asked_twice
    assert [path.stem for path in FILES] == sorted(every, key=lambda name: f"{name}.jsonl")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_questions_name_entries_by_the_ids_that_the_reader_gives(path):
    queries = list(iter_queries(path))
    assert len(queries) == len({query.query for query in queries})
    assert all(re.fullmatch("[0-9a-f]{24}", entry) for query in queries for entry in query.relevant)
    assert all(query.relevant for query in queries)
