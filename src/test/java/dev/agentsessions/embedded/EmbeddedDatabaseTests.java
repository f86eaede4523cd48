package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.Json;

/** Starts the real program with the database inside, and takes it down in every way. */
@Tag("slow")
class EmbeddedDatabaseTests {

	private static final String SESSIONS = "/apps/shop/users/alice/sessions";

	@TempDir
	private Path temporary;

	/** What is left running is left only by a test that fails half-way. */
	@AfterEach
	void stopDatabase() throws IOException {
		DataDirectory.lock(folder().resolve("data")).close();
	}

	@Test
	void keepsItsDataWhateverIsKilled() throws IOException {
		Path folder = Files.createDirectory(folder());
		ProcessHandle leftRunning = createSessionAndKillTheService(folder);

		ProcessHandle killed = appendAndKillTheDatabaseToo(folder);

		assertThat(leftRunning.isAlive()).isFalse();
		assertThat(killed.isAlive()).isFalse();
		try (ServiceProcess service = ServiceProcess.start(folder)) {
			assertThat(service.http().get(SESSIONS + "/s1").ok().at("/state")).isEqualTo(Json.node("{'k': 2}"));
			ProcessHandle database = service.database();
			service.stop();
			ServiceProcess.awaitEnd(database);
		}
		assertThat(folder.resolve("data/postgres")).isDirectory();
	}

	/** Answers the database, which nobody has stopped. */
	private static ProcessHandle createSessionAndKillTheService(Path folder) {
		try (ServiceProcess service = ServiceProcess.start(folder)) {
			service.http().post(SESSIONS + "/s1", Json.of("{'state': {'k': 1}}")).ok();
			assertThat(service.dataDirectory()).contains(folder.resolve("data"));
			ProcessHandle database = service.database();
			service.kill();
			assertThat(database.isAlive()).isTrue();
			return database;
		}
	}

	/** Answers the database. */
	private static ProcessHandle appendAndKillTheDatabaseToo(Path folder) {
		try (ServiceProcess service = ServiceProcess.start(folder)) {
			Http http = service.http();
			assertThat(http.get(SESSIONS + "/s1").ok().at("/state")).isEqualTo(Json.node("{'k': 1}"));
			http.post(SESSIONS + "/s1/events", Json.of("{'actions': {'stateDelta': {'k': 2}}}")).ok();
			ProcessHandle database = service.database();
			service.kill();
			ServiceProcess.kill(database);
			return database;
		}
	}

	@Test
	void leavesNothingBehindWithTheProfileMemory() {
		try (ServiceProcess service = ServiceProcess.start(this.temporary, "--spring.profiles.active=memory")) {
			service.http().post(SESSIONS + "/s1", "{}").ok();
			Path data = service.dataDirectory().orElseThrow();
			ProcessHandle database = service.database();
			assertThat(data).isDirectory();

			service.stop();

			assertThat(data).doesNotExist();
			ServiceProcess.awaitEnd(database);
			assertThat(this.temporary.resolve("data")).doesNotExist();
		}
	}

	@Test
	void repeatsWhatPostgresSaysOfACopyThatWasMadeWhileItRan() throws IOException {
		Path folder = Files.createDirectory(folder());
		try (ServiceProcess service = ServiceProcess.start(folder)) {
			service.http();
			Path copy = this.temporary.resolve("copy");
			FileSystemUtils.copyRecursively(folder.resolve("data"), copy);
			Files.setPosixFilePermissions(copy.resolve("postgres"), PosixFilePermissions.fromString("rwx------"));
			try (ServiceProcess other = ServiceProcess.start(this.temporary,
					"--agent-sessions.embedded.data-directory=" + copy)) {
				assertThat(other.exitCode()).isNotZero();
				assertThat(other.log())
					.contains("APPLICATION FAILED TO START", "lock file \"postmaster.pid\" already exists",
							"Stop the service before you copy its folder")
					.doesNotContain("Gave up waiting");
			}
			assertThat(service.http().get("/list-apps").ok().body()).isEqualTo("[]");
		}
	}

	private Path folder() {
		return this.temporary.resolve("a folder with spaces");
	}

}
