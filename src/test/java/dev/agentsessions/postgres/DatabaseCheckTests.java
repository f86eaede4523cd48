package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import dev.agentsessions.postgres.DatabaseHealth.DatabaseCheck;

/** What counts as a database that refuses connections. */
class DatabaseCheckTests {

	@Test
	void closedPortCounts() throws IOException {
		int port;
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = server.getLocalPort();
		}
		assertThat(check(port)).satisfies(DatabaseCheckTests::isRefused);
	}

	@Test
	void connectionThatIsClosedWithoutAReasonCounts() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			new Thread(() -> closeConnections(server)).start();
			assertThat(check(server.getLocalPort())).satisfies(DatabaseCheckTests::isRefused);
		}
	}

	@Test
	void serverThatIsSilentDoesNotCount() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			DatabaseCheck.Outcome outcome = check(server.getLocalPort());
			assertThat(outcome.isUp()).isFalse();
			assertThat(outcome.refused()).isFalse();
		}
	}

	private static void isRefused(DatabaseCheck.Outcome outcome) {
		assertThat(outcome.isUp()).isFalse();
		assertThat(outcome.refused()).isTrue();
	}

	private static void closeConnections(ServerSocket server) {
		try {
			while (true) {
				server.accept().close();
			}
		}
		catch (IOException ex) {
			// The test has closed the port
		}
	}

	private static DatabaseCheck.Outcome check(int port) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port + "/none");
			return new DatabaseCheck(pool).connect();
		}
	}

}
