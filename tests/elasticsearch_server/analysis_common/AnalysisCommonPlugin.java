// SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
//
// SPDX-License-Identifier: Apache-2.0
package analysis_common;

import static java.util.Map.entry;
import static org.elasticsearch.plugins.AnalysisPlugin.requiresAnalysisSettings;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.EmptyTokenStream;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymGraphFilter;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.elasticsearch.common.Strings;
import org.elasticsearch.common.regex.Regex;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.AbstractIndexAnalyzerProvider;
import org.elasticsearch.index.analysis.AbstractTokenizerFactory;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.AnalyzerProvider;
import org.elasticsearch.index.analysis.NormalizingTokenFilterFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Language analyzers, and the token filters and the tokenizer that custom analyzers of this project are made of.
 *
 * <p>Stands in for the module {@code analysis-common}, which the vendor does not publish as an artifact: the same names,
 * parameters and Lucene classes, of those that are here. What is not here is refused, never ignored. Stop filter,
 * standard tokenizer and the lists of stop words are the server's own.
 */
public final class AnalysisCommonPlugin extends Plugin implements AnalysisPlugin {
    private static final Map<String, BiFunction<CharArraySet, CharArraySet, Analyzer>> LANGUAGES = Map.ofEntries(
            entry("armenian", ArmenianAnalyzer::new),
            entry("basque", BasqueAnalyzer::new),
            entry("catalan", CatalanAnalyzer::new),
            entry("danish", DanishAnalyzer::new),
            entry("dutch", DutchAnalyzer::new),
            entry("english", EnglishAnalyzer::new),
            entry("estonian", EstonianAnalyzer::new),
            entry("finnish", FinnishAnalyzer::new),
            entry("french", FrenchAnalyzer::new),
            entry("german", GermanAnalyzer::new),
            entry("hungarian", HungarianAnalyzer::new),
            entry("irish", IrishAnalyzer::new),
            entry("italian", ItalianAnalyzer::new),
            entry("lithuanian", LithuanianAnalyzer::new),
            entry("norwegian", NorwegianAnalyzer::new),
            entry("portuguese", PortugueseAnalyzer::new),
            entry("romanian", RomanianAnalyzer::new),
            entry("russian", RussianAnalyzer::new),
            entry("spanish", SpanishAnalyzer::new),
            entry("swedish", SwedishAnalyzer::new),
            entry("turkish", TurkishAnalyzer::new));

    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> analyzers = new HashMap<>();
        LANGUAGES.forEach((language, constructor) -> analyzers.put(language, (index, environment, name, settings) -> {
            allow(name, settings, "stopwords", "stopwords_path", "stem_exclusion");
            Settings own = Settings.builder().put("stopwords", "_" + language + "_").build();
            CharArraySet ownStopWords = Analysis.parseStopWords(environment, own, CharArraySet.EMPTY_SET);
            CharArraySet stopWords = Analysis.parseStopWords(environment, settings, ownStopWords);
            CharArraySet unstemmed = Analysis.parseStemExclusion(settings, CharArraySet.EMPTY_SET);
            Analyzer analyzer = constructor.apply(stopWords, unstemmed);
            return new AbstractIndexAnalyzerProvider<Analyzer>(name, settings) {
                @Override
                public Analyzer get() {
                    return analyzer;
                }
            };
        }));
        return analyzers;
    }

    @Override
    public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
        return Map.of("pattern", (index, environment, name, settings) -> {
            allow(name, settings, "pattern", "flags", "group");
            Pattern pattern = Regex.compile(settings.get("pattern", "\\W+"), settings.get("flags"));
            int group = settings.getAsInt("group", -1);
            return new AbstractTokenizerFactory(index, settings, name) {
                @Override
                public Tokenizer create() {
                    return new PatternTokenizer(pattern, group);
                }
            };
        });
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return Map.of(
                "asciifolding", AnalysisCommonPlugin::asciiFolding,
                "elision", requiresAnalysisSettings(AnalysisCommonPlugin::elision),
                "length", AnalysisCommonPlugin::length,
                "lowercase", AnalysisCommonPlugin::lowercase,
                "snowball", AnalysisCommonPlugin::snowball,
                "stemmer", AnalysisCommonPlugin::stemmer,
                "synonym", requiresAnalysisSettings(SynonymFactory.of(SynonymFilter::new)),
                "synonym_graph", requiresAnalysisSettings(SynonymFactory.of(SynonymGraphFilter::new)));
    }

    private static TokenFilterFactory lowercase(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "language");
        String language = settings.get("language", "");
        return normalizing(name, switch (language.toLowerCase(Locale.ROOT)) {
            case "" -> LowerCaseFilter::new;
            case "greek" -> GreekLowerCaseFilter::new;
            case "irish" -> IrishLowerCaseFilter::new;
            case "turkish" -> TurkishLowerCaseFilter::new;
            default -> throw unknownLanguage(name, language);
        });
    }

    private static TokenFilterFactory elision(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "articles", "articles_path", "articles_case");
        CharArraySet articles = Analysis.parseArticles(environment, settings);
        if (articles == null) {
            throw new IllegalArgumentException("elision filter requires [articles] or [articles_path] setting");
        }
        return normalizing(name, tokens -> new ElisionFilter(tokens, articles));
    }

    private static TokenFilterFactory asciiFolding(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "preserve_original");
        TokenFilterFactory alone = normalizing(name, ASCIIFoldingFilter::new);
        if (!settings.getAsBoolean("preserve_original", false)) {
            return alone;
        }
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return new ASCIIFoldingFilter(tokens, true);
            }

            @Override
            public TokenStream normalize(TokenStream tokens) {
                return alone.create(tokens); // a normalizer has one token for each
            }

            @Override
            public TokenFilterFactory getSynonymFilter() {
                return alone; // and so have the words of a synonym
            }
        };
    }

    private static TokenFilterFactory length(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "min", "max");
        int min = settings.getAsInt("min", 0);
        int max = settings.getAsInt("max", Integer.MAX_VALUE);
        return filter(name, tokens -> new LengthFilter(tokens, min, max));
    }

    private static TokenFilterFactory snowball(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "language", "name");
        String language = settings.get("language", settings.get("name", "English"));
        return filter(name, snowball(language));
    }

    private static TokenFilterFactory stemmer(
            IndexSettings index, Environment environment, String name, Settings settings) {
        allow(name, settings, "language", "name");
        String language = settings.get("language", settings.get("name", "porter")).toLowerCase(Locale.ROOT);
        return filter(name, switch (language) {
            case "porter", "english" -> PorterStemFilter::new;
            case "porter2" -> snowball("English");
            case "possessive_english" -> EnglishPossessiveFilter::new;
            case "arabic" -> ArabicStemFilter::new;
            case "greek" -> GreekStemFilter::new;
            default -> {
                if (!LANGUAGES.containsKey(language)) {
                    throw unknownLanguage(name, language);
                }
                yield snowball(language);
            }
        });
    }

    private static UnaryOperator<TokenStream> snowball(String language) {
        String stemmer = Strings.capitalize(language);
        new SnowballFilter(new EmptyTokenStream(), stemmer); // fails here, not at the first text, if there is none
        return tokens -> new SnowballFilter(tokens, stemmer);
    }

    private static TokenFilterFactory filter(String name, UnaryOperator<TokenStream> constructor) {
        return new TokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return constructor.apply(tokens);
            }
        };
    }

    /** A filter that is also applied where text is only normalized: to wildcard and fuzzy terms, and keywords. */
    private static TokenFilterFactory normalizing(String name, UnaryOperator<TokenStream> constructor) {
        return new NormalizingTokenFilterFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TokenStream create(TokenStream tokens) {
                return constructor.apply(tokens);
            }
        };
    }

    /** The vendor's module ignores a parameter that it does not know; here it may be one that this module lacks. */
    static void allow(String name, Settings settings, String... parameters) {
        Set<String> unknown = new TreeSet<>(settings.names());
        unknown.removeAll(Set.of("type", "index")); // the second: the server's note of the index's version
        unknown.removeAll(Set.of(parameters));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("[" + name + "] has parameters that the tests' server lacks: " + unknown
                    + "; it has " + Arrays.toString(parameters));
        }
    }

    private static IllegalArgumentException unknownLanguage(String name, String language) {
        return new IllegalArgumentException("[" + name + "]: the tests' server lacks the language [" + language + "]");
    }
}
