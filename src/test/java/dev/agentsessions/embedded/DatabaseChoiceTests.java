package dev.agentsessions.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.support.Jdk;

/** Starts the real program where a database is, or is not, to be had. */
@Tag("slow")
@HttpTest
class DatabaseChoiceTests {

	private final Http http;

	private final JdbcConnectionDetails database;

	@TempDir
	private Path folder;

	DatabaseChoiceTests(Http http, JdbcConnectionDetails database) {
		this.http = http;
		this.database = database;
	}

	@Test
	void usesTheDatabaseItIsToldAndStartsNone() {
		String session = "/apps/app-%s/users/alice/sessions/s1".formatted(UUID.randomUUID());
		this.http.post(session, "{}").ok();

		try (ServiceProcess replica = ServiceProcess.start(this.folder,
				"--spring.datasource.url=" + this.database.getJdbcUrl())) {
			Http other = replica.http();
			assertThat(other.get(session).ok().body()).isEqualTo(this.http.get(session).body());
			other.delete(session);
			assertThat(replica.dataDirectory()).isEmpty();
		}
		assertThat(this.http.get(session).status()).isEqualTo(404);
		assertThat(this.folder.resolve("data")).doesNotExist();
	}

	@Test
	void saysWhatToSetIfThereIsNone() {
		try (ServiceProcess service = ServiceProcess.startPackaged(Jdk.java(Runtime.version().feature()),
				this.folder)) {
			assertThat(service.exitCode()).isEqualTo(1);
			assertThat(service.log())
				.contains("APPLICATION FAILED TO START", "PostgreSQL (15 or newer), and none is configured",
						"SPRING_DATASOURCE_URL=jdbc:postgresql://", "./mvnw spring-boot:run")
				.doesNotContain("\tat ");
		}
	}

	@Test
	void refusesAFolderThatIsInUse() throws IOException {
		Path data = this.folder.resolve("in use");
		try (DataDirectory held = DataDirectory.lock(data);
				ServiceProcess service = ServiceProcess.start(this.folder,
						"--agent-sessions.embedded.data-directory=" + data)) {
			assertThat(service.exitCode()).isEqualTo(1);
			assertThat(service.log())
				.contains("APPLICATION FAILED TO START", "The folder " + data + " is in use by another running service",
						"SPRING_DATASOURCE_URL")
				.doesNotContain("\tat ");
			assertThat(held.postgres()).doesNotExist();
		}
	}

}
