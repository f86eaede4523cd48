package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.EventSource;

/**
 * The service works behind a pooler that gives each transaction another connection. Needs
 * Debian's package pgbouncer, so it runs only when it is asked for:
 * {@code ./mvnw test -Dgroups=pgbouncer -DexcludedGroups=none}.
 */
@Tag("pgbouncer")
class PgBouncerTests {

	@Test
	void losesAndDoublesNothingBehindAPoolOfTransactions(@TempDir Path folder) throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (Database database = new Database(folder.resolve("postgres"))) {
			int port = Database.freePort();
			Process pooler = start(folder, database.port(), port);
			String[] arguments = Database.arguments(port, "?prepareThreshold=0").toArray(String[]::new);
			try (ServiceProcess service = ServiceProcess.start(folder, arguments)) {
				Load load = Load.start(service.http());
				load.awaitProgress(100);
				load.stopAndCompare();
			}
			finally {
				pooler.destroy();
			}
		}
	}

	@Test
	void showsWhatAnotherReplicaAppends(@TempDir Path folder) throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (Database database = new Database(folder.resolve("postgres"))) {
			int port = Database.freePort();
			Process pooler = start(folder, database.port(), port);
			String[] arguments = Database.arguments(port, "?prepareThreshold=0").toArray(String[]::new);
			try (ServiceProcess service = ServiceProcess.start(folder, arguments);
					ServiceProcess other = ServiceProcess.start(folder, arguments)) {
				String session = "/apps/a/users/u/sessions/s";
				service.http().post(session, "{}").ok();
				try (EventSource watch = EventSource.open(other.http().port(), session + "/events:watch")) {
					for (long seq = 1; seq <= 20; seq++) {
						service.http().post(session + "/events", "{\"author\":\"a\"}").ok();
						assertThat(watch.next().seq()).isEqualTo(seq);
					}
				}
			}
			finally {
				pooler.destroy();
			}
		}
	}

	/** Three connections for all, so that they change hands all the time. */
	private static Process start(Path folder, int database, int port) throws IOException {
		Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
				[databases]
				postgres = host=127.0.0.1 port=%d user=postgres
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = any
				pool_mode = transaction
				default_pool_size = 3
				ignore_startup_parameters = extra_float_digits
				""".formatted(database, port));
		boolean root = System.getProperty("user.name").equals("root");
		List<String> command = root ? List.of("/usr/sbin/pgbouncer", "-u", "nobody", settings.toString())
				: List.of("/usr/sbin/pgbouncer", settings.toString());
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(folder.resolve("pgbouncer.log").toFile())
			.start();
	}

}
