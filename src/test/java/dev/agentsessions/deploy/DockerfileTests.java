package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.faults.Database;

/**
 * Does what the Dockerfile says, step by step and without Docker: with this machine's JDK
 * in place of the images, and with the libraries that it has already.
 */
@Tag("slow")
class DockerfileTests {

	private static final Pattern STEP = Pattern.compile("(?m)^([A-Z]+) ((?:.*\\\\\\n|#.*\\n)*.*)$");

	private static final Pattern MOUNT = Pattern.compile("--mount=\\S+\\s+(\\\\\\n\\s*)?");

	/** Since then, JVMs write an AOT cache in one go. */
	private static final int AOT = 25;

	@TempDir
	private Path folder;

	private final List<String> done = new ArrayList<>();

	private final Map<String, Path> stages = new HashMap<>();

	private final Map<String, List<String>> commands = new HashMap<>();

	private final Map<String, String> variables = new HashMap<>();

	@Test
	void everyStepWorks() throws Exception {
		Assumptions.assumeTrue(Runtime.version().feature() >= AOT, "The image's JDK is newer than this one");
		Path stage = this.folder;
		for (Step step : steps()) {
			switch (step.name()) {
				case "FROM" -> stage = stage(step.arguments());
				case "COPY" -> copy(step.arguments(), stage);
				case "RUN" -> run(step.arguments(), stage);
				case "HEALTHCHECK", "ENTRYPOINT" -> this.commands.put(step.name(), words(step.arguments()));
				case "ENV" -> this.variables.put(step.arguments().split("=", 2)[0], step.arguments().split("=", 2)[1]);
				default -> assertThat(step.name()).isIn("WORKDIR", "ARG", "LABEL", "EXPOSE", "USER");
			}
			this.done.add(step.name());
		}
		assertThat(this.done).containsSubsequence("FROM", "COPY", "RUN", "FROM", "COPY", "RUN", "FROM", "COPY",
				"ENTRYPOINT");
		assertThat(stage.resolve("agent-sessions.aot")).isNotEmptyFile();
		assertThat(stage.resolve("embedded")).doesNotExist();
		assertThat(stage.resolve("LICENSE")).hasSameTextualContentAs(Path.of("LICENSE"));
		assertThat(stage.resolve("NOTICE")).hasSameTextualContentAs(Path.of("NOTICE"));
		new PackagedLibraries(stage).check();
		try (Database database = new Database(this.folder.resolve("postgres"))) {
			this.variables.putAll(Map.of("AGENTSESSIONS_SECURITY_ALLOWANONYMOUS", "true", "SERVER_PORT", "28080",
					"SPRING_DATASOURCE_URL", "jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres",
					"SPRING_DATASOURCE_USERNAME", "postgres"));
			startsAndIsHealthy(stage, Map.of());
			startsAndIsHealthy(stage, withTls(stage));
		}
	}

	/** The variables that the Dockerfile names for a service with a certificate. */
	private Map<String, String> withTls(Path stage) throws Exception {
		Path store = stage.resolve("certificate.p12");
		run("keytool -genkeypair -keyalg EC -dname CN=localhost -storepass change-it -keystore " + store, stage);
		return Map.of("SERVER_SSL_KEYSTORE", store.toString(), "SERVER_SSL_KEYSTOREPASSWORD", "change-it",
				"MANAGEMENT_SERVER_PORT", "28081", "MANAGEMENT_SERVER_ADDRESS", "127.0.0.1",
				"MANAGEMENT_SERVER_SSL_ENABLED", "false");
	}

	/** Starts with the cache, on all addresses, and the check of its health says so. */
	private void startsAndIsHealthy(Path stage, Map<String, String> further) throws Exception {
		Map<String, String> variables = new HashMap<>(this.variables);
		variables.putAll(further);
		assertThat(start("HEALTHCHECK", stage, variables).waitFor()).isNotZero();
		Process service = start("ENTRYPOINT", stage, variables);
		try {
			Awaitility.await()
				.atMost(5, TimeUnit.MINUTES)
				.until(() -> start("HEALTHCHECK", stage, variables).waitFor() == 0);
		}
		finally {
			service.destroy();
		}
		assertThat(service.waitFor()).isEqualTo(128 + 15);
		// The JVM would say so if it did not accept the cache
		assertThat(printed("ENTRYPOINT")).content().contains("MaxRAMPercentage=60").doesNotContain("[aot");
	}

	private Process start(String command, Path stage, Map<String, String> variables) throws IOException {
		List<String> words = this.commands.get(command)
			.stream()
			.map((word) -> word.replaceFirst("^/app/", stage + "/"))
			.toList();
		ProcessBuilder builder = builder(command, words, stage);
		builder.environment().putAll(variables);
		return builder.start();
	}

	/** The words of a command that is written as JSON, behind its options. */
	private static List<String> words(String arguments) {
		String json = arguments.substring(arguments.indexOf('[')).replace("\\\n", "");
		return JsonMapper.shared().readTree(json).valueStream().map(JsonNode::stringValue).toList();
	}

	/** A new stage, which a later step may name. */
	private Path stage(String arguments) throws IOException {
		String[] words = arguments.split(" AS ");
		Path stage = Files.createDirectory(this.folder.resolve("stage" + this.stages.size()));
		this.stages.put(words[words.length - 1], stage);
		return stage;
	}

	private static List<Step> steps() throws IOException {
		List<Step> steps = new ArrayList<>();
		Matcher matcher = STEP.matcher(Files.readString(Path.of("Dockerfile")));
		while (matcher.find()) {
			steps.add(new Step(matcher.group(1), matcher.group(2)));
		}
		return steps;
	}

	/**
	 * The last argument is the target. A folder's contents go there, with their times as
	 * in Docker.
	 */
	private void copy(String arguments, Path stage) throws Exception {
		List<String> words = new ArrayList<>(List.of(arguments.split(" ")));
		Path from = words.get(0).startsWith("--from=") ? this.stages.get(words.remove(0).substring(7)) : Path.of("");
		Path target = Files.createDirectories(stage.resolve(words.remove(words.size() - 1)));
		for (String word : words) {
			Path source = from.toAbsolutePath().resolve(word.replaceFirst("^/(build|app)/", ""));
			assertThat(source).exists();
			run("cp -a " + source + (Files.isDirectory(source) ? "/. " : " ") + target, stage);
		}
	}

	private void run(String arguments, Path stage) throws Exception {
		Path maven = Path.of(System.getProperty("user.home"), ".m2");
		String command = MOUNT.matcher(arguments)
			.replaceAll("")
			.replace("/maven/repository", maven.resolve("repository").toString())
			.replace("MAVEN_USER_HOME=/maven", "MAVEN_USER_HOME=" + maven);
		int code = builder("RUN", List.of("sh", "-ec", command), stage).start().waitFor();
		assertThat(code).as("%s%n%s", command, Files.readString(printed("RUN"))).isZero();
	}

	private ProcessBuilder builder(String step, List<String> command, Path stage) {
		List<String> words = new ArrayList<>(command);
		// So that the command is looked for where its own variables say
		words.add(0, "env");
		ProcessBuilder builder = new ProcessBuilder(words).directory(stage.toFile())
			.redirectErrorStream(true)
			.redirectOutput(printed(step).toFile());
		String java = Path.of(System.getProperty("java.home"), "bin").toString();
		builder.environment()
			.putAll(Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH",
					java + File.pathSeparator + System.getenv("PATH")));
		return builder;
	}

	private Path printed(String step) {
		return this.folder.resolve(step + ".log");
	}

	/**
	 * An instruction.
	 *
	 * @param name what it is
	 * @param arguments what follows, on several lines
	 */
	private record Step(String name, String arguments) {

	}

}
