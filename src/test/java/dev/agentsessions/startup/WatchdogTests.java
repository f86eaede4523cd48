package dev.agentsessions.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.faults.Database;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.Jdk;

/**
 * A program whose virtual threads stand still ends, and one that was stopped does not.
 */
@Tag("slow")
class WatchdogTests {

	private static final Path THIS_PACKAGE = Path.of("dev", "agentsessions", "startup");

	@Test
	void endsAProgramThatHangsButNotOneThatWasStopped(@TempDir Path folder) throws Exception {
		Path java = Jdk.java(25);
		// Without the other tests, whose components the program would find
		Path classes = Files.createDirectories(folder.resolve("classes").resolve(THIS_PACKAGE));
		for (String name : List.of("HangingProgram.class", "HangingProgram$Endless.class")) {
			Files.copy(Path.of("target", "test-classes").resolve(THIS_PACKAGE).resolve(name), classes.resolve(name));
		}
		List<String> program = List.of("-Djdk.virtualThreadScheduler.parallelism=1",
				"-Djdk.virtualThreadScheduler.maxPoolSize=1", "-cp",
				folder.resolve("classes") + File.pathSeparator + ServiceProcess.PACKAGED,
				HangingProgram.class.getName());
		try (Database database = new Database(folder.resolve("postgres"));
				ServiceProcess service = ServiceProcess.start(java, folder, program,
						database.arguments("--server.port=0", "--agent-sessions.hang-timeout=10s"))) {
			Http http = service.http();
			new ProcessBuilder("sh", "-c", "kill -STOP $0; sleep 15; kill -CONT $0", Long.toString(service.pid()))
				.start()
				.waitFor();
			assertThat(http.get("/list-apps").status()).isEqualTo(200);
			service.type("hang");
			assertThat(service.exitCode()).isEqualTo(70);
			assertThat(service.log()).contains("No virtual thread has run for 10 s");
		}
	}

}
