package dev.agentsessions.linearizability;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;

import dev.agentsessions.embedded.ServiceProcess;

/**
 * The nodes of a Citus cluster that {@code deploy/citus/local} has started on this
 * machine, and starts again when they end.
 */
final class Nodes {

	private static final String OTHERS = "backend_type = 'client backend' and pid <> pg_backend_pid()";

	private final List<String> urls;

	private Nodes(List<String> urls) {
		this.urls = urls;
	}

	/** The nodes of the cluster with this coordinator; empty if it is not Citus. */
	static Optional<Nodes> of(String coordinator) {
		if (ask(coordinator, "select 1 from pg_extension where extname = 'citus'").isEmpty()) {
			return Optional.empty();
		}
		return Optional.of(new Nodes(ask(coordinator, "select nodename || ':' || nodeport from pg_dist_node").stream()
			.map((address) -> coordinator.replaceFirst("//[^/]*/", "//" + address + "/"))
			.toList()));
	}

	/** Kills a node, or ends all connections to one, and waits until it is there. */
	void disturb(Random random) {
		String node = this.urls.get(random.nextInt(this.urls.size()));
		if (random.nextBoolean()) {
			long server = Long
				.parseLong(ask(node, "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)").get(0));
			kill(server);
		}
		else {
			ask(node, "select pg_terminate_backend(pid)::text from pg_stat_activity where " + OTHERS);
		}
		Awaitility.await().atMost(2, TimeUnit.MINUTES).ignoreExceptions().until(() -> !ask(node, "select 1").isEmpty());
	}

	/** Its number may be that of another program if the node is not on this machine. */
	private static void kill(long server) {
		ProcessHandle process = ProcessHandle.of(server)
			.filter((found) -> found.info().command().filter((command) -> command.endsWith("/postgres")).isPresent())
			.orElseThrow();
		ServiceProcess.kill(process);
	}

	/** Waits until Citus has ended what was prepared when a node was killed. */
	void awaitNothingPrepared() {
		this.urls.forEach((node) -> Awaitility.await()
			.atMost(2, TimeUnit.MINUTES)
			.pollInterval(1, TimeUnit.SECONDS)
			.until(() -> ask(node, "select gid from pg_prepared_xacts").isEmpty()));
	}

	private static List<String> ask(String url, String query) {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(query)) {
			List<String> answers = new ArrayList<>();
			while (rows.next()) {
				answers.add(rows.getString(1));
			}
			return answers;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(query, ex);
		}
	}

}
