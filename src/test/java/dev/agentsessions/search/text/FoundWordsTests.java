package dev.agentsessions.search.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.agentsessions.search.text.QueryReader.WordQuery.Word;
import dev.agentsessions.search.text.TextAnalysis.Language;

/**
 * A sentence with its traps for each language: each word of it finds it, whether or not
 * the language of the app is set.
 */
class FoundWordsTests {

	/**
	 * The words of a text as ADK's {@code InMemoryMemoryService} sees them (Source:
	 * {@code in_memory_memory_service.py} of ADK Python 2.13). ADK also takes marks for
	 * the end of a word, which no reader does.
	 */
	private static final Pattern ADK_WORD = Pattern.compile("[\\p{L}\\p{M}\\p{N}_]+");

	/** The language, the sentence, and more words that find it. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					en | O'Brien didn’t e-mail rock'n'roll@example.com on 2026-11-14, #TeamBlue | brien; obrien@x o'brien; team_blue teamblue
					en | The reader's and/or writer’s 5kg bag of v1.2.3 costs 1,000.50 at 10:30 | reader; writer; 1.2.3 1.2; 1,000; 000
					de | Die Straße „Zur Linde“ hat Ruth's Donau-Café am 14.11.2026 für 3,50 € geöffnet | strasse; ruths ruth; 2026; linde
					es | ¿Qué dijo el niño del «AVE» Madrid-Sevilla sobre l'Hospitalet? ¡5kg! | nino; hospitalet; ave; sevilla
					fi | Kävin USA:ssa ja Helsinki–Vantaan EU:n-kokouksessa vaa'an kanssa klo 10.30 | usa; vantaan; vaa'an; 30
					fr | Aujourd'hui, l’hôtel d'eau qu’il aime : « l'été » — vas-y, j'arrive, étudiant·e·s, c'est-à-dire 5 kg | hotel; eau; ete; arrive; hui; etudiant; il; est
					hu | Az őszi „tükörfúrógép” árát 2026.11.14-én 1.000 Ft-tal írta Péter's e-mailben | oszi; 2026; tukorfurogep; mailben
					it | Dell'acqua c’è nell'hotel d’Italia: l'università, un po' più perché po’ | acqua; italia; universita; hotel
					nl | 's Avonds zag ik foto's van zo’n café in 's-Gravenhage, z'n auto’s | foto; zo; auto; gravenhage
					no | Blåbærsyltetøy på Ålesund’s hytte/sjø, kl. 10.30 og 5kg | blabaersyltetoy; alesund; sjo; hytte
					pt | Deu-lhe d'água à mãe n’um copo-d'água, São Paulo/SP | agua; mae; paulo; sp
					sv | Hon åkte till Göteborg's TV:n och USA:s 5:e höst d’Artagnan | goteborg; tv; artagnan; host
					none | Al-Qur'an, Ankara'ya, l·l col·lega, Hawaiʻi, o‘zbek, пʼять | quran qur; ankara; hawai'i; ya; o'zbek; п’ять
					en | Türkiye'nin İstanbul’da ılık günü Ankara'ya | istanbul; ankara; türkiye; gunu
					en | Вчера О’Коннор купил п'ять книг с USB-кабелем в кафе «Ёлка» | коннор; книга; usb; елка; п’ять
					en | Το καφέ «Αθήνα» απ'την αρχή, γι’αυτό | καφε; αθηνα; την; αυτο
					en | דו"ח של צה״ל על ג'ירפה בת״א | דו"ח; ג׳ירפה; צה"ל; ירפה
					en | ذهبتُ إلى «المكتبة» وقرأتُ كتابًا | المكتبة; ذهبت
					en | من می‌خواهم کتاب‌ها را بخوانم | خواهم; کتاب; میخواهم; بخوانم
					en | मैंने किताब पढ़ी और 5kg आम 'दिल्ली' से लाए | किताब; दिल्ली; आम
					en | 私は東京都でPythonを使う。「ジョン・スミス」のカフェ3号店 | 東京; 京都; python; ジョン; スミス; カフェ; 3
					en | 我在北京用Python写代码，版本1.2.3，约翰·史密斯 | 北京; python; 代码; 1.2.3; 史密斯
					en | 서울에서 '김치'를 5kg 샀어요, O'Brien과 | 서울; 김치; brien; 5kg
					en | พรุ่งนี้ฉันจะไปกรุงเทพฯกับเพื่อนคนไทย ราคา500บาท ต่างๆ | กรุงเทพ; เพื่อน; ไทย; 500; บาท; พรุ่งนี้; ต่าง
					en | ຂ້ອຍມັກວຽງຈັນ | ວຽງຈັນ; ຂ້ອຍ
					en | ខ្ញុំចូលចិត្តភ្នំពេញ | ភ្នំពេញ
					en | ကျွန်တော် ရန်ကုန်ကို ကြိုက်တယ် | ရန်ကုန်""")
	void everyWordOfASentenceFindsIt(String code, String sentence, String more) {
		Set<String> words = ADK_WORD.matcher(Normalizer.normalize(sentence, Normalizer.Form.NFC))
			.results()
			.map(MatchResult::group)
			.filter((word) -> word.length() > 1 || Character.isDigit(word.charAt(0)))
			.collect(Collectors.toCollection(LinkedHashSet::new));
		words.addAll(Arrays.asList(more.split("; ")));
		for (String text : List.of(sentence, Normalizer.normalize(sentence, Normalizer.Form.NFD))) {
			assertThat(words).allSatisfy((word) -> assertThat(finds(Language.EN, word, text)).as(word).isTrue());
			assertThat(words)
				.allSatisfy((word) -> assertThat(finds(Language.of(code).orElseThrow(), word, text)).as(word).isTrue());
		}
	}

	@ParameterizedTest
	@EnumSource
	void straightAndCurlyApostrophesAreEqual(Language language) {
		assertThat(Stream.of("l'hôtel O'Brien", "l’hôtel O’Brien", "L‘HÔTEL Oʼbrien", "l＇hôtel Oʻbrien")
			.map((text) -> new TextAnalysis(language).words(text))
			.distinct()).hasSize(1);
	}

	private static boolean finds(Language language, String query, String text) {
		TextAnalysis analysis = new TextAnalysis(language);
		Set<String> terms = analysis.words(text).stream().map(Word::term).collect(Collectors.toSet());
		return QueryReader.text(analysis, query.toLowerCase(Locale.ROOT)).words().stream().anyMatch(terms::contains);
	}

}
