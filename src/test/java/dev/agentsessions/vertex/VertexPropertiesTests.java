package dev.agentsessions.vertex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import dev.agentsessions.vertex.VertexConfiguration.VertexProperties;

/** How the apps of engines are set, as the reference shows it. */
class VertexPropertiesTests {

	private static final String VARIABLE = "AGENTSESSIONS_VERTEX_APPS_1234567890";

	private static final String YAML = """
			agent-sessions:
			  vertex:
			    apps:
			      "1234567890": travel
			      "[My_engine]": billing
			""";

	@Test
	void takesAnAppFromAnEnvironmentVariable() throws IOException {
		assertThat(reference()).contains(VARIABLE + "=travel");
		assertThat(apps(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				Map.of(VARIABLE, "travel"))))
			.isEqualTo(Map.of("1234567890", "travel"));
	}

	@Test
	void takesAnAppFromAFile() throws IOException {
		assertThat(reference()).contains("```yaml\n" + YAML + "```");
		List<PropertySource<?>> file = new YamlPropertySourceLoader().load("application.yml",
				new ByteArrayResource(YAML.getBytes(StandardCharsets.UTF_8)));
		assertThat(apps(file.get(0))).isEqualTo(Map.of("1234567890", "travel", "My_engine", "billing"));
	}

	private static String reference() throws IOException {
		return Files.readString(Path.of("docs/reference.md"));
	}

	private static Map<String, String> apps(PropertySource<?> source) {
		Binder binder = new Binder(ConfigurationPropertySources.from(source));
		return binder.bind("agent-sessions.vertex", VertexProperties.class).get().apps();
	}

}
