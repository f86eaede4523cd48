package dev.agentsessions.search.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.springframework.util.function.SingletonSupplier;
import org.tartarus.snowball.ext.DutchStemmer;

import dev.agentsessions.search.text.QueryReader.WordQuery.Word;

/**
 * Splits texts into words, in the same way for events and for queries. Safe for several
 * threads.
 */
public final class TextAnalysis {

	/** A longer word is cut, in bytes of UTF-8. */
	public static final int MAX_WORD_BYTES = 255;

	/** Words after this number of words of a text are not found. */
	public static final int MAX_WORDS = 16_383;

	/** Text after this number of characters is not found. */
	public static final int MAX_CHARS = 1 << 18;

	/**
	 * Words beyond this size of all words of a text are not found, in bytes of UTF-8. A
	 * {@code tsvector} of PostgreSQL has at most a megabyte.
	 */
	private static final int MAX_BYTES = 1 << 19;

	/** Changes whenever the same text has other words or another digest than before. */
	private static final int VERSION = 4;

	private static final int VERSION_FACTOR = 31;

	static final String FIELD = "text";

	private final Language language;

	private final Analyzer analyzer;

	private final Supplier<Set<String>> stopTerms = SingletonSupplier.of(this::findStopTerms);

	public TextAnalysis(Language language) {
		this.language = language;
		this.analyzer = new ScriptAnalyzer(language);
	}

	/**
	 * Returns a number that is another one if the same text may have other words: with
	 * another language, or another version of this program.
	 */
	public int version() {
		return VERSION * VERSION_FACTOR + this.language.code().hashCode();
	}

	/** Returns the words of a text, in their order. */
	public List<Word> words(String text) {
		List<Word> words = new ArrayList<>();
		try (TokenStream tokens = this.analyzer.tokenStream(FIELD, readable(text))) {
			CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
			PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
			tokens.reset();
			int position = 0;
			int bytes = 0;
			while (tokens.incrementToken() && position + step.getPositionIncrement() <= MAX_WORDS
					&& bytes < MAX_BYTES) {
				position += step.getPositionIncrement();
				String word = cut(term.toString());
				if (!word.isEmpty()) {
					bytes += word.length() * Character.BYTES;
					words.add(new Word(word, position));
				}
			}
			tokens.end();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return words;
	}

	/** Returns whether queries leave a word out if they have other words. */
	boolean isStopWord(String term) {
		return this.stopTerms.get().contains(term);
	}

	Analyzer analyzer() {
		return this.analyzer;
	}

	/**
	 * Returns a text without characters that no database column can store, and not longer
	 * than what is found.
	 */
	static String readable(String text) {
		String begin = (text.length() > MAX_CHARS) ? text.substring(0, MAX_CHARS) : text;
		StringBuilder readable = new StringBuilder(begin.length());
		begin.codePoints()
			.map((c) -> (c == 0 || Character.getType(c) == Character.SURROGATE) ? ' ' : c)
			.forEach(readable::appendCodePoint);
		return readable.toString();
	}

	/** Cuts a long word at the end of a character. */
	private static String cut(String term) {
		if (term.length() * 3 <= MAX_WORD_BYTES) {
			return term;
		}
		int bytes = 0;
		int end = 0;
		while (end < term.length()) {
			int next = end + Character.charCount(term.codePointAt(end));
			bytes += term.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
			if (bytes > MAX_WORD_BYTES) {
				break;
			}
			end = next;
		}
		return term.substring(0, end);
	}

	private Set<String> findStopTerms() {
		return this.language.stopWords()
			.stream()
			.map((word) -> words(new String((char[]) word)))
			.filter((words) -> words.size() == 1)
			.map((words) -> words.get(0).term())
			.collect(Collectors.toSet());
	}

	/**
	 * The chain of filters for texts of all scripts. Chinese, Japanese and Korean words
	 * become single characters and pairs of them.
	 */
	private static final class ScriptAnalyzer extends Analyzer {

		private static final int ALL_SCRIPTS = CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA | CJKBigramFilter.KATAKANA
				| CJKBigramFilter.HANGUL;

		private final Language language;

		ScriptAnalyzer(Language language) {
			this.language = language;
		}

		@Override
		protected TokenStreamComponents createComponents(String fieldName) {
			Tokenizer tokenizer = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
			TokenStream words = new ICUFoldingFilter(new PartFilter(new EnglishPossessiveFilter(tokenizer)));
			words = new CJKBigramFilter(words, ALL_SCRIPTS, true);
			words = new ArabicStemFilter(new ArabicNormalizationFilter(words));
			words = new RussianLightStemFilter(words);
			words = new HindiStemFilter(new HindiNormalizationFilter(words));
			return new TokenStreamComponents(tokenizer, this.language.stem(words));
		}

	}

	/**
	 * The language of words in Latin script: how they are stemmed, and which of them a
	 * query leaves out.
	 */
	public enum Language {

		/** English, by Porter's algorithm. */
		EN(PorterStemFilter::new, EnglishAnalyzer::getDefaultStopSet),

		/** German. */
		DE(GermanLightStemFilter::new, GermanAnalyzer::getDefaultStopSet),

		/** Spanish. */
		ES(SpanishLightStemFilter::new, SpanishAnalyzer::getDefaultStopSet),

		/** Finnish. */
		FI(FinnishLightStemFilter::new, FinnishAnalyzer::getDefaultStopSet),

		/** French. */
		FR(FrenchLightStemFilter::new, FrenchAnalyzer::getDefaultStopSet),

		/** Hungarian. */
		HU(HungarianLightStemFilter::new, HungarianAnalyzer::getDefaultStopSet),

		/** Italian. */
		IT(ItalianLightStemFilter::new, ItalianAnalyzer::getDefaultStopSet),

		/** Dutch. */
		NL((words) -> new SnowballFilter(words, new DutchStemmer()), DutchAnalyzer::getDefaultStopSet),

		/** Norwegian. */
		NO(NorwegianLightStemFilter::new, NorwegianAnalyzer::getDefaultStopSet),

		/** Portuguese. */
		PT(PortugueseLightStemFilter::new, PortugueseAnalyzer::getDefaultStopSet),

		/** Swedish. */
		SV(SwedishLightStemFilter::new, SwedishAnalyzer::getDefaultStopSet),

		/** Words stay as they are, and a query leaves no word out. */
		NONE(UnaryOperator.identity(), () -> CharArraySet.EMPTY_SET);

		private final UnaryOperator<TokenStream> stemmer;

		private final Supplier<CharArraySet> stopWords;

		Language(UnaryOperator<TokenStream> stemmer, Supplier<CharArraySet> stopWords) {
			this.stemmer = stemmer;
			this.stopWords = stopWords;
		}

		/** Returns the language with a code of ISO 639-1, or {@code none}. */
		public static Optional<Language> of(String code) {
			return Arrays.stream(values()).filter((language) -> language.code().equals(code)).findFirst();
		}

		/** Returns its code of ISO 639-1, or {@code none}. */
		public String code() {
			return name().toLowerCase(Locale.ROOT);
		}

		TokenStream stem(TokenStream words) {
			return this.stemmer.apply(words);
		}

		CharArraySet stopWords() {
			return this.stopWords.get();
		}

	}

}
