package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.LogsErrors;

/**
 * Nothing acknowledged is lost when a synchronous standby stops responding, the primary
 * dies, and the standby becomes the primary.
 */
@Tag("slow")
@LogsErrors
class FailoverTests {

	private static final String APP = "/apps/failover";

	private static final String SESSION = APP + "/users/u/sessions/s";

	private static final String USER_STATE = APP + "/users/u/state";

	@TempDir
	private Path folder;

	@Test
	void losesNothingAcknowledgedWhenAStandbyBecomesThePrimary() throws Exception {
		try (Database primary = new Database(this.folder.resolve("primary"));
				Database standby = primary.startStandby(this.folder.resolve("standby"));
				ServiceProcess service = ServiceProcess.start(this.folder, arguments(primary, standby))) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			http.patch(USER_STATE, "{\"k\":1}").ok();
			Load load = Load.start(http);
			load.awaitProgress(10);
			standby.signal("-STOP");
			load.awaitRefusals(1);
			http.get(SESSION).ok();
			List<Answer> others = writesInTransactions(http);
			primary.destroy();
			// What has reached the machine of the standby, but not its disk, is lost
			standby.kill();
			standby.promote();
			load.awaitProgress(5);
			load.stopAndCompare();
			assertThat(others).extracting(Answer::status).containsOnly(503);
		}
	}

	/** The driver itself finds out which of the two is the primary. */
	private static String[] arguments(Database primary, Database standby) {
		return new String[] {
				"--spring.datasource.url=jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?targetServerType=primary"
					.formatted(primary.port(), standby.port()),
				"--spring.datasource.username=postgres", "--spring.jdbc.template.query-timeout=2s" };
	}

	private static List<Answer> writesInTransactions(Http http) {
		String change = "{\"k\":2}";
		return List.of(http.patch(USER_STATE, change), http.patch(USER_STATE, change),
				http.post(APP + "/users/u/sessions/new", "{}"), http.delete(SESSION), http.delete(SESSION));
	}

}
