package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import org.junit.jupiter.api.Test;

/** Checks that all files name the version of the service that is in pom.xml. */
class VersionTests {

	private static final Path BUILD_INFO = Path.of("target/classes/META-INF/build-info.properties");

	private final String version = version();

	VersionTests() throws IOException {
	}

	@Test
	void chartAndItsImageHaveTheVersionOfTheService() throws IOException {
		assertThat(Files.readAllLines(Path.of("deploy/helm/agent-sessions/Chart.yaml")))
			.contains("version: " + this.version, "appVersion: \"" + this.version + '"');
	}

	@Test
	void imageHasTheVersionOfTheService() throws IOException {
		assertThat(Files.readString(Path.of("Dockerfile")))
			.contains("org.opencontainers.image.version=\"" + this.version + '"');
	}

	@Test
	void changelogHasASectionForTheVersion() throws IOException {
		String release = this.version.replace("-SNAPSHOT", "");
		assertThat(Files.readAllLines(Path.of("CHANGELOG.md")))
			.anyMatch((line) -> line.startsWith("## ") && line.contains(release));
	}

	@Test
	void openApiExampleHasTheVersionOfTheService() throws IOException {
		assertThat(Files.readString(Path.of("src/main/resources/openapi/adk.yaml")))
			.contains("{ \"version\": \"%s\",".formatted(this.version.replace("-SNAPSHOT", "")));
	}

	private static String version() throws IOException {
		Properties info = new Properties();
		try (var lines = Files.newBufferedReader(BUILD_INFO)) {
			info.load(lines);
		}
		return info.getProperty("build.version");
	}

}
