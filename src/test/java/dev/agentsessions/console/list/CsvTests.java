package dev.agentsessions.console.list;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTests {

	@ParameterizedTest
	@ValueSource(strings = { "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "=cmd|' /C calc'!A0" })
	void guardsCellsThatBeginLikeFormulas(String text) {
		assertThat(Csv.cell(text)).startsWith("\"'" + text.charAt(0));
	}

	@Test
	void quotesEveryCell() {
		assertThat(Csv.cell("a\",=1\nb")).isEqualTo("\"a\"\",=1\nb\"");
		assertThat(Csv.cell("")).isEqualTo("\"\"");
		assertThat(Csv.cell(-1L)).isEqualTo("\"-1\"");
	}

}
