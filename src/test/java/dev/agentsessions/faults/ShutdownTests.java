package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.HeldRequest;
import dev.agentsessions.support.Http;

/** A replica that is asked to end refuses nothing, until nobody sends it anything. */
@Tag("slow")
class ShutdownTests {

	private static final String SESSION = "/apps/a/users/u/sessions/s";

	private static final String EVENT = "{\"id\":\"last\",\"author\":\"a\"}";

	@TempDir
	private Path folder;

	@Test
	void servesEverythingWhileOnlyItsReadinessSaysNoAndFinishesWhatIsUnderWay() throws IOException {
		try (ServiceProcess service = ServiceProcess.start(this.folder, "--agent-sessions.drain-period=10s")) {
			Http http = service.http();
			http.post(SESSION, "{}").ok();
			HeldRequest underWay = HeldRequest.post(http.port(), SESSION + "/events", EVENT);
			service.terminate();
			awaitNotReady(http);
			Answer served = http.post(SESSION + "/events", "{\"id\":\"drained\"}").ok();
			assertThat(served.header("Connection")).hasValue("close");
			assertThat(http.post("/apps/a/users/u/sessions/new", "{}").status()).isEqualTo(200);
			assertThat(http.get("/actuator/health/liveness").status()).isEqualTo(200);
			HeldRequest.awaitClosed(http.port());
			assertThat(underWay.finish()).startsWith("HTTP/1.1 200").contains("\"id\":\"last\"");
			underWay.close();
			assertThat(service.exitCode()).isEqualTo(143);
		}
		try (ServiceProcess service = ServiceProcess.start(this.folder)) {
			service.http().get(SESSION + "/events/drained").ok();
			service.http().get(SESSION + "/events/last").ok();
		}
	}

	private static void awaitNotReady(Http http) {
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.until(() -> http.get("/actuator/health/readiness").status() == 503);
	}

}
