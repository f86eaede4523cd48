package dev.agentsessions.search.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;
import org.tartarus.snowball.ext.DutchStemmer;

/**
 * The language of words in Latin script: how they are stemmed, and which of them a query
 * leaves out.
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
