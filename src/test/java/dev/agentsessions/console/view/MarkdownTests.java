package dev.agentsessions.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.console.view.ReadingMode.Markdown;

class MarkdownTests {

	@Test
	void rendersWhatModelsWrite() {
		assertThat(Markdown.toHtml("# Plan\n\n1. *by* **train**\n2. `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"))
			.contains("<p class=\"heading\">Plan</p>", "<li><em>by</em> <strong>train</strong></li>",
					"<code>code</code>", "<td>2</td>");
		assertThat(Markdown.toHtml("one\ntwo")).isEqualTo("<p>one<br>two</p>\n");
	}

	@Test
	void linksToOtherPlacesOnly() {
		assertThat(Markdown.toHtml("[Rome](https://example.com/a?b=c&d)"))
			.isEqualTo("<p><a href=\"https://example.com/a?b=c&amp;d\" rel=\"noopener noreferrer nofollow\">"
					+ "Rome</a></p>\n");
		assertThat(Markdown.toHtml("<mailto:a@example.com>")).contains("href=\"mailto:a@example.com\"");
		assertThat(Markdown.toHtml("![A map](https://example.com/x.png)")).contains("Image: <a href", ">A map</a>")
			.doesNotContain("<img");
	}

	@ParameterizedTest
	@ValueSource(strings = { "<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<b onclick=x>",
			"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java\nscript:alert(1))",
			"[x](&#106;avascript:x)", "[x](javascript&colon;alert(1))", "[x](data:text/html;base64,PHNjcmlwdD4=)",
			"[x](vbscript:x)", "[x](/console/sign-out)", "[x](//evil.example)", "[x](file:///etc/passwd)",
			"[x]: javascript:x\n\n[x]", "![x](https://evil.example/x.png)", "![x](javascript:alert(1))",
			"![x\" onerror=\"alert(1)](data:x)", "[x](https://a/\"onmouseover=\"alert(1))",
			"[x](https://a 'title\" onclick=\"alert(1)')", "```x\" onclick=\"alert(1)\n</code><script>\n```",
			"<javascript:alert(1)>", "<iframe src=//evil.example>", "<!-- --><style>*{display:none}</style>",
			"<svg/onload=alert(1)>", "<![CDATA[<script>]]>", "\u202e[x](javascript:alert(1))",
			"${7*7} [[${7*7}]] __${7*7}__", "<a href=\"https://evil.example\">x</a>" })
	void rendersNothingThatActsOrLoads(String hostile) {
		String html = Markdown.toHtml(hostile);
		assertThat(html.replaceAll("<a href=\"https://[^\"]*\" rel=\"noopener noreferrer nofollow\">|</a>", ""))
			.doesNotContainPattern("<(?!/?(p|em|strong|br|pre|code)\\b)")
			.doesNotContainPattern("<[^>]*\\s(on\\w+|src|href|style)\\s*=")
			.doesNotContain("49");
	}

	/** Rows with fewer cells than the header get all of its columns. */
	@Test
	void rendersNoTableOfManyCells() {
		String table = "|a".repeat(1000) + "\n" + "|-".repeat(1000) + "\n";
		assertThat(Markdown.toHtml(table + "a|\n")).contains("<td></td>");
		assertThatIllegalArgumentException().isThrownBy(() -> Markdown.toHtml(table + "a|\n".repeat(2)));
	}

	@ParameterizedTest
	@ValueSource(strings = { ">", "- ", "*a _b ", "[", "![", "(", "`", "|", "<", "&" })
	void rendersTextsThatNestWithoutEnd(String nested) {
		assertThat(Markdown.toHtml(nested.repeat(10_000 / nested.length()))).isNotEmpty();
	}

}
