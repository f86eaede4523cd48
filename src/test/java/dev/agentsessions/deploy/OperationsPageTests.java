package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.docs.PageBlocks;
import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.faults.Database;
import dev.agentsessions.support.Http;

/** What the manual says is done as it says it. */
class OperationsPageTests {

	private static final Path PAGE = Path.of("docs/operations.md");

	private static final String SESSIONS = "/apps/kept/users/ann/sessions";

	private static final Pattern LOG_LINE = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

	private final PageBlocks page = PageBlocks.read(PAGE);

	@TempDir
	private Path folder;

	OperationsPageTests() throws IOException {
	}

	@Test
	@Tag("slow")
	void commandsDoWhatTheySay() throws Exception {
		Optional<Path> programs = PostgresPrograms.find();
		Assumptions.assumeTrue(programs.isPresent(), "PostgreSQL's programs are not installed in /usr/lib/postgresql");
		Path archive = Files.createDirectory(this.folder.resolve("archive"));
		String settings = this.page.in("ini").get(0).replace("/var/backups/archive", archive.toString());
		int port = Database.freePort();
		try (PostgresPrograms postgres = PostgresPrograms.start(this.folder, programs.get(), port, settings)) {
			postgres.set("ARCHIVE", archive);
			postgres.set("RESTORED_PORT", Database.freePort());
			List<String> blocks = this.page.in("bash");
			assertThat(blocks).hasSize(11);
			blocks.subList(0, 2).forEach(postgres::run);
			try (ServiceProcess service = ServiceProcess.start(this.folder, arguments(port))) {
				Http http = service.http();
				create(http, "s1", "s2");
				blocks.subList(2, 4).forEach(postgres::run);
				create(http, "s3");
				postgres.set("BEFORE", postgres.run("psql -Atc 'select clock_timestamp()'"));
				List.of("s1", "s2", "s3").forEach((id) -> http.delete(SESSIONS + "/" + id));
				awaitArchived(postgres);
				assertThat(postgres.run(blocks.get(4))).isEqualTo("2\n0");
				postgres.run(blocks.get(5));
				assertThat(postgres.run(blocks.get(6))).isEqualTo("3");
				assertThat(postgres.run(blocks.get(7))).startsWith("DELETE");
				create(http, "s4");
				assertThat(postgres.run(blocks.get(8))).containsPattern(" kept +\\| ann +\\| +1 \\| \\d+ bytes");
				assertThat(postgres.run(blocks.get(9))).isEqualTo(newestMigration());
			}
			takesBothKeys(port);
		}
	}

	@Test
	@Tag("slow")
	void migratesUnderAnotherRole() throws Exception {
		Optional<Path> programs = PostgresPrograms.find();
		Assumptions.assumeTrue(programs.isPresent(), "PostgreSQL's programs are not installed in /usr/lib/postgresql");
		int port = Database.freePort();
		try (PostgresPrograms postgres = PostgresPrograms.start(this.folder, programs.get(), port, "")) {
			List<String> blocks = this.page.in("bash");
			postgres.run(blocks.get(0));
			postgres.run(blocks.get(10));
			String[] arguments = Stream
				.concat(Stream.of(arguments(port)),
						Stream.of("--spring.flyway.user=agent_sessions_owner", "--spring.flyway.password=replace-that"))
				.toArray(String[]::new);
			try (ServiceProcess service = ServiceProcess.start(this.folder, arguments)) {
				Http http = service.http();
				create(http, "s1");
				assertThat(http.get(SESSIONS + "/s1").status()).isEqualTo(200);
				assertThat(http.delete(SESSIONS + "/s1").status()).isEqualTo(204);
			}
			assertThat(postgres.run("psql -Atd agent_sessions -c 'select distinct tableowner from pg_tables where "
					+ "schemaname = $$public$$'"))
				.isEqualTo("agent_sessions_owner");
			assertThat(postgres.run("psql -Atd agent_sessions -c "
					+ "'select has_schema_privilege($$agent_sessions$$, $$public$$, $$create$$)'"))
				.isEqualTo("f");
		}
	}

	/** The replicas do not know the password of the owner of the tables. */
	@Test
	@Tag("slow")
	void migratesInAStepOfItsOwn() throws Exception {
		Optional<Path> programs = PostgresPrograms.find();
		Assumptions.assumeTrue(programs.isPresent(), "PostgreSQL's programs are not installed in /usr/lib/postgresql");
		int port = Database.freePort();
		try (PostgresPrograms postgres = PostgresPrograms.start(this.folder, programs.get(), port, "")) {
			List<String> blocks = this.page.in("bash");
			postgres.run(blocks.get(0));
			postgres.run(blocks.get(10));
			String[] arguments = Stream.concat(Stream.of(arguments(port)), Stream.of("--spring.flyway.enabled=false"))
				.toArray(String[]::new);
			try (ServiceProcess tooEarly = ServiceProcess.start(this.folder, arguments)) {
				assertThat(tooEarly.exitCode()).isNotZero();
			}
			postgres.set("CLASSPATH", System.getProperty("java.class.path"));
			postgres.run(migration().replace("db.example.com:5432", "127.0.0.1:" + port)
				.replaceFirst("\\bjava ", Path.of(System.getProperty("java.home"), "bin", "java") + " ")
				.replaceFirst("-jar \\S+", AgentSessionsApplication.class.getName()));
			try (ServiceProcess service = ServiceProcess.start(this.folder, arguments)) {
				Http http = service.http();
				create(http, "s1");
				assertThat(http.delete(SESSIONS + "/s1").status()).isEqualTo(204);
			}
		}
	}

	private String migration() {
		return this.page.in("sh").stream().filter((block) -> block.contains("onRefresh")).findFirst().orElseThrow();
	}

	private static void create(Http http, String... ids) {
		for (String id : ids) {
			http.post(SESSIONS + "/" + id, "{}").ok();
			http.post(SESSIONS + "/" + id + "/events", "{\"author\":\"ann\"}").ok();
		}
	}

	private static void awaitArchived(PostgresPrograms postgres) {
		String file = postgres.run("psql -Atc 'select pg_walfile_name(pg_switch_wal())'");
		Awaitility.await()
			.atMost(1, TimeUnit.MINUTES)
			.until(() -> postgres.run("psql -Atc 'select last_archived_wal from pg_stat_archiver'")
				.compareTo(file) >= 0);
	}

	/** The file of keys has an old and a new one of the same caller. */
	private void takesBothKeys(int port) throws Exception {
		Files.writeString(this.folder.resolve("keys.yml"),
				this.page.in("yaml").get(0).replace("OLD_HASH", hash("as_old")).replace("NEW_HASH", hash("as_new")));
		String[] arguments = Stream
			.concat(Stream.of(arguments(port)), Stream.of("--spring.config.import=file:keys.yml"))
			.toArray(String[]::new);
		try (ServiceProcess service = ServiceProcess.start(this.folder, arguments)) {
			Http http = service.http();
			assertThat(http.get("/apps/support/users/ann/sessions").status()).isEqualTo(401);
			for (String key : List.of("as_old", "as_new")) {
				assertThat(http
					.send("GET", "/apps/support/users/ann/sessions", BodyPublishers.noBody(), "x-goog-api-key", key)
					.status()).isEqualTo(200);
			}
		}
	}

	private static String hash(String key) throws Exception {
		return HexFormat.of()
			.formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
	}

	private static String[] arguments(int port) {
		return new String[] { "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + port + "/agent_sessions",
				"--spring.datasource.username=agent_sessions", "--spring.datasource.password=replace-this" };
	}

	private static String newestMigration() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
			return files.map((file) -> file.getFileName().toString().replaceAll("V(\\d+)__.*", "$1"))
				.max((one, other) -> Integer.valueOf(one).compareTo(Integer.valueOf(other)))
				.orElseThrow();
		}
	}

	@Test
	void everyBlockIsOfAKindThatItExplains() {
		assertThat(this.page.languages()).containsOnly("bash", "sh", "ini", "yaml", "haproxy");
	}

	@Test
	void linksLeadToFiles() {
		assertThat(this.page.links()).isNotEmpty()
			.allSatisfy((link) -> assertThat(PAGE.resolveSibling(link.split("#")[0])).exists());
	}

	@Test
	void linesOfTheLogAreThoseOfTheService() throws IOException {
		String sources;
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			sources = files.filter(Files::isRegularFile).map(OperationsPageTests::text).collect(Collectors.joining());
		}
		String section = this.page.text().substring(this.page.text().indexOf("\n## Log messages"));
		List<String> lines = LOG_LINE.matcher(section).results().map((MatchResult row) -> row.group(1)).toList();
		assertThat(lines).hasSizeGreaterThan(10)
			.filteredOn((line) -> !line.equals("APPLICATION FAILED TO START"))
			.allSatisfy((line) -> assertThat(sources).contains(line));
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
