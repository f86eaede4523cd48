package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.support.Jdk;

/**
 * The script beside the packaged program starts it whatever cache there is.
 * {@link DockerfileTests} makes a cache with the script, and starts the service with it.
 */
@TestInstance(Lifecycle.PER_CLASS)
@DisabledOnOs(OS.WINDOWS)
class StartScriptTests {

	/** Makes the JVM refuse to start without a cache that fits. */
	private static final String CACHE_REQUIRED = "-XX:AOTMode=on";

	private static final String OTHER_CACHE = "Unable to map shared spaces";

	private static final String PRINTED = "SHA-256";

	private Path folder;

	private Path jar;

	private Path cache;

	private Path smallCache;

	@BeforeAll
	void copyProgram(@TempDir Path temporary) throws Exception {
		// A name that a script without quotes would take for two
		this.folder = Files.createDirectory(temporary.resolve("agent sessions"));
		this.jar = this.folder.resolve("agent-sessions.jar");
		this.cache = this.folder.resolve("agent-sessions.aot");
		for (String part : List.of("agent-sessions", "agent-sessions.jar", "lib")) {
			List<String> copy = List.of("cp", "-a", Path.of("target", part).toString(), this.folder.toString());
			assertThat(new ProcessBuilder(copy).inheritIO().start().waitFor()).isZero();
		}
		this.smallCache = this.folder.resolveSibling("small.aot");
		makeSmallCache();
	}

	/**
	 * In place of a minute of requests: of a start without a database, which fails. A JVM
	 * does not compare the jar with a cache that has no class of the libraries.
	 */
	private void makeSmallCache() throws Exception {
		new ProcessBuilder(Jdk.java(25).toString(), "-XX:AOTCacheOutput=" + this.smallCache, "-jar",
				this.jar.toString())
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor();
	}

	private void placeSmallCache() throws IOException {
		Files.copy(this.smallCache, this.cache, StandardCopyOption.REPLACE_EXISTING);
	}

	@Test
	void startsWithoutACache() throws Exception {
		Files.deleteIfExists(this.cache);
		assertThat(run(25, "")).contains(PRINTED).doesNotContain("aot");
		assertThat(run(17, "")).contains(PRINTED);
	}

	@Test
	void usesACacheThatFits() throws Exception {
		placeSmallCache();
		assertThat(run(25, CACHE_REQUIRED)).contains(PRINTED).doesNotContain("[aot]");
		Path link = Files.createSymbolicLink(this.folder.resolveSibling("link"), script());
		assertThat(run(link, 25, CACHE_REQUIRED, "--new-api-key")).contains(PRINTED);
	}

	@Test
	void startsWithTheCacheOfAnotherJar() throws Exception {
		placeSmallCache();
		FileTime built = Files.getLastModifiedTime(this.jar);
		Files.setLastModifiedTime(this.jar, FileTime.from(built.toInstant().plusSeconds(60)));
		assertThat(run(25, "")).contains(PRINTED, OTHER_CACHE);
		Files.setLastModifiedTime(this.jar, built);
	}

	@Test
	void startsWithACacheThatIsNone() throws Exception {
		Files.writeString(this.cache, "nothing");
		assertThat(run(25, "")).contains(PRINTED, OTHER_CACHE);
	}

	@Test
	void startsWithAJdkThatKnowsNoCache() throws Exception {
		placeSmallCache();
		assertThat(run(17, "")).contains(PRINTED).doesNotContain("Unrecognized");
	}

	/** Split in two, the argument would print a key. Unsplit, it is no port. */
	@Test
	void passesEachArgumentOnAsItIs() throws Exception {
		placeSmallCache();
		assertThat(run(script(), 25, "", "--server.port=1 --new-api-key")).contains("FAILED").doesNotContain(PRINTED);
		Files.delete(this.cache);
		assertThat(run(script(), 25, "", "--server.port=1 --new-api-key")).contains("FAILED").doesNotContain(PRINTED);
	}

	@Test
	void saysThatAJdkCannotMakeACache() throws Exception {
		assertThat(run(script(), 17, "", "--make-cache")).contains("JDK 25");
	}

	private Path script() {
		return this.folder.resolve("agent-sessions");
	}

	private String run(int jdk, String options) throws Exception {
		return run(script(), jdk, options, "--new-api-key");
	}

	/** What the script prints, in an empty folder. */
	private String run(Path script, int jdk, String options, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(script.toString()));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.folder.getParent().toFile())
			.redirectErrorStream(true);
		builder.environment().put("JAVA_HOME", Jdk.java(jdk).getParent().getParent().toString());
		builder.environment().put("JAVA_TOOL_OPTIONS", options);
		Process process = builder.start();
		String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return printed;
	}

}
