package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** The figures that the reference names are there for Prometheus, and for nobody else. */
@TestPropertySource(properties = "management.prometheus.metrics.export.enabled=true")
class PrometheusTests extends SecuredServiceTest {

	private static final String FIGURES = "/actuator/prometheus";

	private static final Pattern NAME = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|(?!.*only with `agent-sessions)");

	@Test
	void showsAllFiguresOfTheReferenceToTheRoleMetrics() throws IOException {
		call("GET", "/list-apps").as(Keys.ADMINISTRATOR).send();
		String shown = call("GET", FIGURES).as(Keys.METRICS).send().body();
		assertThat(names()).hasSizeGreaterThan(8).allSatisfy((name) -> assertThat(shown).contains("\n" + name));
	}

	@Test
	void namesTheVersionAndNotTheExactRuntime() {
		assertThat(call("GET", FIGURES).as(Keys.METRICS).send().body())
			.containsPattern("(?m)^agentsessions_build_info\\{built=\"[^\"]+\",java=\"\\d+\",version=\"[^\"]+\"} 1$");
	}

	@Test
	void prometheusEndpointNeedsMetricsRole() {
		assertThat(call("GET", FIGURES).status()).isEqualTo(401);
		assertThat(call("GET", FIGURES).as(Keys.AGENT).status()).isEqualTo(403);
	}

	private static List<String> names() throws IOException {
		String reference = Files.readString(Path.of("docs/reference.md"));
		String figures = reference.substring(reference.indexOf("\n## Metrics") + 1);
		String section = figures.substring(0, figures.indexOf("\n## "));
		return NAME.matcher(section).results().map((MatchResult match) -> match.group(1)).toList();
	}

}
