package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Bodies;
import dev.agentsessions.support.Http;

/**
 * Two deployments with databases of their own behind the one address of
 * deploy/apps-apart.
 */
@Tag("alone")
class AppsApartTests {

	private static final Path SETTINGS = Path.of("deploy/apps-apart/haproxy.cfg").toAbsolutePath();

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/research";

	/** The other name of the address that the tests use. */
	private static final String SECOND_CONSOLE = "127.0.0.1";

	private final Http address = new Http(Database.freePort());

	private ServiceProcess firstProcess;

	private ServiceProcess secondProcess;

	private Http first;

	private Http second;

	private Process proxy;

	@BeforeEach
	void start(@TempDir Path temporary) throws IOException {
		LoadBalancer.assumeInstalled();
		this.firstProcess = ServiceProcess.start(Files.createDirectory(temporary.resolve("first")));
		this.secondProcess = ServiceProcess.start(Files.createDirectory(temporary.resolve("second")));
		this.first = this.firstProcess.http();
		this.second = this.secondProcess.http();
		ProcessBuilder builder = new ProcessBuilder(LoadBalancer.PROGRAM.toString(), "-db", "-f", SETTINGS.toString())
			.redirectErrorStream(true)
			.redirectOutput(temporary.resolve("haproxy.log").toFile());
		builder.environment()
			.putAll(Map.of("ADDRESS", at(this.address), "FIRST", at(this.first), "SECOND", at(this.second),
					"SECOND_CONSOLE", SECOND_CONSOLE, "APPS", SETTINGS.resolveSibling("apps.map").toString()));
		this.proxy = builder.start();
		awaitStatus(200, "/apps/support/users/u/sessions");
		awaitStatus(200, "/apps/research/users/u/sessions");
	}

	private static String at(Http service) {
		return "127.0.0.1:" + service.port();
	}

	private void awaitStatus(int status, String path) {
		Awaitility.await()
			.atMost(1, TimeUnit.MINUTES)
			.ignoreExceptions()
			.until(() -> this.address.get(path).status() == status);
	}

	@AfterEach
	void stop() {
		if (this.proxy != null) {
			this.proxy.destroy();
			this.firstProcess.close();
			this.secondProcess.close();
		}
	}

	@Test
	void eachAppHasItsDeployment() throws Exception {
		this.address.post("/apps/support/users/u/sessions/s", "{}").ok();
		this.address.post("/apps/res%65arch/users/u/sessions/s", "{}").ok();
		this.address.post("/apps/research:reindex", "{}").ok();
		this.address.post(ENGINE + "/sessions?sessionId=vertex", "{\"userId\":\"u\"}").ok();
		assertThat(this.first.get("/list-apps").ok().body()).isEqualTo("[\"support\"]");
		assertThat(this.second.get("/list-apps").ok().body()).isEqualTo("[\"research\"]");
		assertThat(this.second.get("/apps/research/users/u/sessions/vertex").status()).isEqualTo(200);
		assertThat(console("localhost")).contains("support").doesNotContain("research");
		assertThat(console(SECOND_CONSOLE)).contains("research").doesNotContain("support");
	}

	private String console(String host) throws IOException, InterruptedException {
		URI page = URI.create("http://" + host + ":" + this.address.port() + "/console");
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(page).build(), Bodies.text()).body();
	}

	@Test
	void oneDeploymentWorksWhileTheOtherIsAway() {
		this.secondProcess.terminate();
		awaitStatus(503, "/apps/research/users/u/sessions");
		assertThat(this.address.get("/apps/support/users/u/sessions").status()).isEqualTo(200);
	}

}
