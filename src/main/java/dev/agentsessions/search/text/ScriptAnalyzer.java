package dev.agentsessions.search.text;

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

/**
 * The chain of filters for texts of all scripts. Chinese, Japanese and Korean words
 * become single characters and pairs of them.
 */
final class ScriptAnalyzer extends Analyzer {

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
