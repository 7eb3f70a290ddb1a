// SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
//
// SPDX-License-Identifier: Apache-2.0
package analysis_common;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.util.CharsRef;
import org.apache.lucene.util.CharsRefBuilder;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.IndexService.IndexCreationContext;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.AnalysisMode;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.CustomAnalyzer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** The filters {@code synonym} and {@code synonym_graph}, with rules in Solr's format from a list or a file. */
final class SynonymFactory implements TokenFilterFactory {
    /** Lucene's filter of either kind. */
    interface Constructor {
        TokenStream create(TokenStream tokens, SynonymMap synonyms, boolean ignoreCase);
    }

    private final Constructor constructor;
    private final Environment environment;
    private final String name;
    private final Settings settings;
    private final AnalysisMode mode;

    private SynonymFactory(Constructor constructor, Environment environment, String name, Settings settings) {
        AnalysisCommonPlugin.allow(name, settings, "synonyms", "synonyms_path", "expand", "lenient", "updateable");
        if (!settings.hasValue("synonyms") && !settings.hasValue("synonyms_path")) {
            throw new IllegalArgumentException("[" + name + "] requires `synonyms` or `synonyms_path`");
        }
        this.constructor = constructor;
        this.environment = environment;
        this.name = name;
        this.settings = settings;
        this.mode = settings.getAsBoolean("updateable", false) ? AnalysisMode.SEARCH_TIME : AnalysisMode.ALL;
    }

    static AnalysisProvider<TokenFilterFactory> of(Constructor constructor) {
        return (index, environment, name, settings) -> new SynonymFactory(constructor, environment, name, settings);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public AnalysisMode getAnalysisMode() {
        return mode;
    }

    @Override
    public TokenStream create(TokenStream tokens) {
        throw new IllegalStateException("[" + name + "] needs the analyzer that it is a part of");
    }

    /** The rules themselves go through the tokenizer and the filters before this one. */
    @Override
    public TokenFilterFactory getChainAwareTokenFilterFactory(
            IndexCreationContext context,
            TokenizerFactory tokenizer,
            List<CharFilterFactory> charFilters,
            List<TokenFilterFactory> before,
            Function<String, TokenFilterFactory> all) {
        SynonymMap synonyms = synonyms(new CustomAnalyzer(
                tokenizer,
                charFilters.toArray(CharFilterFactory[]::new),
                before.stream().map(TokenFilterFactory::getSynonymFilter).toArray(TokenFilterFactory[]::new)));
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public AnalysisMode getAnalysisMode() {
                return mode;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return synonyms.fst == null ? tokens : constructor.create(tokens, synonyms, false);
            }

            @Override
            public TokenFilterFactory getSynonymFilter() {
                return IDENTITY_FILTER; // rules of a second synonym filter are not expanded by the first
            }
        };
    }

    private SynonymMap synonyms(Analyzer analyzer) {
        boolean expand = settings.getAsBoolean("expand", true);
        boolean lenient = settings.getAsBoolean("lenient", mode == AnalysisMode.SEARCH_TIME);
        try (Reader rules = rules()) {
            Parser parser = new Parser(expand, lenient, analyzer);
            parser.parse(rules);
            return parser.build();
        } catch (Exception failure) {
            throw new IllegalArgumentException("[" + name + "]: failed to build synonyms", failure);
        }
    }

    private Reader rules() {
        if (settings.hasValue("synonyms")) {
            return new StringReader(String.join("\n", Analysis.getWordList(environment, settings, "synonyms")));
        }
        return Analysis.getReaderFromFile(environment, settings.get("synonyms_path"), "synonyms");
    }

    /** Solr's format; a lenient one leaves out rules that have nothing left after analysis. */
    private static final class Parser extends SolrSynonymParser {
        private final boolean lenient;

        Parser(boolean expand, boolean lenient, Analyzer analyzer) {
            super(true, expand, analyzer);
            this.lenient = lenient;
        }

        @Override
        public CharsRef analyze(String text, CharsRefBuilder reuse) throws IOException {
            try {
                return super.analyze(text, reuse);
            } catch (IllegalArgumentException eliminated) {
                if (lenient) {
                    return new CharsRef("");
                }
                throw eliminated;
            }
        }

        @Override
        public void add(CharsRef input, CharsRef output, boolean includeOriginal) {
            if (!lenient || (input.length > 0 && output.length > 0)) {
                super.add(input, output, includeOriginal);
            }
        }
    }
}
