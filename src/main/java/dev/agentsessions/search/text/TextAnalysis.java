package dev.agentsessions.search.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.springframework.util.function.SingletonSupplier;

import dev.agentsessions.search.text.WordQuery.Word;

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

}
