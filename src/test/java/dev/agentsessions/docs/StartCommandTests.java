package dev.agentsessions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** Starts the service with the README's first command, in a fresh copy of the sources. */
@Tag("slow")
class StartCommandTests {

	private static final Pattern SWAGGER_UI = Pattern.compile("Swagger UI: (http://localhost:\\d+/swagger-ui.html)");

	@TempDir
	private Path clone;

	private Process process;

	@BeforeEach
	void start() throws IOException {
		for (String name : List.of("pom.xml", "mvnw", ".mvn", "src/main")) {
			FileSystemUtils.copyRecursively(Path.of(name), this.clone.resolve(name));
		}
		assertThat(this.clone.resolve("mvnw").toFile().setExecutable(true)).isTrue();
		ProcessBuilder command = new ProcessBuilder("sh", "-c",
				MarkdownPage.read(ReadmeTests.PAGE).blocksIn("sh").get(0));
		command.environment().put("JAVA_HOME", System.getProperty("java.home"));
		command.environment().put("SERVER_PORT", "0");
		command.environment().remove("SPRING_DATASOURCE_URL");
		this.process = command.directory(this.clone.toFile()).redirectErrorStream(true).start();
	}

	@AfterEach
	void stop() {
		List<ProcessHandle> all = Stream.concat(this.process.descendants(), Stream.of(this.process.toHandle()))
			.toList();
		all.forEach(ProcessHandle::destroy);
		CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new)).join();
	}

	@Test
	void startsTheServiceWithADatabaseAndSaysWhereToLook() throws Exception {
		URI swaggerUi = URI.create(awaitSwaggerUi());
		HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
		assertThat(client.send(HttpRequest.newBuilder(swaggerUi).build(), BodyHandlers.ofString()).body())
			.contains("swagger-ui");
		assertThat(client.send(HttpRequest.newBuilder(swaggerUi.resolve("/list-apps")).build(), BodyHandlers.ofString())
			.body()).isEqualTo("[]");
		assertThat(this.clone.resolve("data/postgres")).isNotEmptyDirectory();
	}

	private String awaitSwaggerUi() throws IOException {
		StringBuilder log = new StringBuilder();
		BufferedReader lines = this.process.inputReader();
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			Matcher matcher = SWAGGER_UI.matcher(line);
			if (matcher.find()) {
				return matcher.group(1);
			}
			log.append(line).append('\n');
		}
		throw new AssertionError("The service did not start:\n" + log);
	}

}
