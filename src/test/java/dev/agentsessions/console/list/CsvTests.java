package dev.agentsessions.console.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.agentsessions.console.list.CsvController.Csv;
import dev.agentsessions.console.list.CsvController.CsvPage;
import dev.agentsessions.session.SessionException;

class CsvTests {

	private int pages;

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

	@Test
	void hasAllPagesOfAListThatEnds() throws IOException {
		assertThat(file(new CsvPage(List.of(List.of("a", 1)), () -> new CsvPage(List.of(List.of("b", 2)), null)), 2))
			.isEqualTo("""
					"name","number"
					"a","1"
					"b","2"
					""");
	}

	@Test
	void saysThatASearchWithoutEndIsCut() throws IOException {
		assertThat(file(withoutEnd(List.of()), 20)).isEqualTo("""
				"name","number"
				"%s",""
				""".formatted(CsvPage.LIMITED));
		assertThat(this.pages).isEqualTo(20);
	}

	@Test
	void saysThatALongListIsCut() throws IOException {
		assertThat(file(withoutEnd(Collections.nCopies(1000, List.of("a", 1))), Integer.MAX_VALUE)).hasLineCount(10_002)
			.endsWith(CsvPage.LIMITED + "\",\"\"\n");
	}

	@Test
	void saysThatAFailureHasCutTheList() throws IOException {
		assertThat(file(new CsvPage(List.of(List.of("a", 1)), () -> {
			throw new SessionException.Unavailable("busy");
		}), 20)).isEqualTo("""
				"name","number"
				"a","1"
				"%s",""
				""".formatted(CsvPage.CUT));
	}

	private CsvPage withoutEnd(List<List<Object>> rows) {
		this.pages++;
		return new CsvPage(rows, () -> withoutEnd(rows));
	}

	private static String file(CsvPage first, int maxPages) throws IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		first.write(Csv.begin(response, "a.csv", "name", "number"), maxPages);
		return response.getContentAsString().replace("\r\n", "\n");
	}

}
