package dev.agentsessions.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The processor time of processes of this machine, as Linux shows it. */
final class ProcessorTime {

	private static final Path PROCESSES = Path.of("/proc");

	/** Linux counts the time of ended processes in these, on every machine. */
	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private ProcessorTime() {
	}

	/**
	 * The servers of a database: the coordinator first if it is Citus. Empty if some are
	 * not on loopback of this machine, or if this machine does not show processor time.
	 */
	static Optional<List<ProcessHandle>> serversOf(Connection connection) throws SQLException {
		List<ProcessHandle> servers = new ArrayList<>();
		for (ResultSet backends : backends(connection)) {
			while (backends.next()) {
				Optional<ProcessHandle> server = serverOf(backends.getString(1), backends.getString(2));
				if (server.isEmpty()) {
					return Optional.empty();
				}
				servers.add(server.get());
			}
		}
		return Optional.of(servers);
	}

	/** The process that serves this connection, and one of each worker. */
	private static List<ResultSet> backends(Connection connection) throws SQLException {
		List<ResultSet> backends = new ArrayList<>();
		backends.add(query(connection, "select host(inet_server_addr()), pg_backend_pid()::text"));
		if (query(connection, "select from pg_extension where extname = 'citus'").next()) {
			backends.add(query(connection, """
					select nodename, result from run_command_on_workers('select pg_backend_pid()')"""));
		}
		return backends;
	}

	private static ResultSet query(Connection connection, String sql) throws SQLException {
		Statement statement = connection.createStatement();
		statement.closeOnCompletion();
		return statement.executeQuery(sql);
	}

	private static Optional<ProcessHandle> serverOf(String host, String backend) {
		return isLoopback(host) ? ProcessHandle.of(Long.parseLong(backend))
			.flatMap(ProcessHandle::parent)
			.filter((server) -> read(folder(server).resolve("comm")).startsWith("postgres")) : Optional.empty();
	}

	private static boolean isLoopback(String host) {
		try {
			return InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	/** What a PostgreSQL has used, with its processes that have ended, in nanoseconds. */
	static long ofServer(ProcessHandle server) {
		String status = read(folder(server).resolve("stat"));
		String[] afterName = status.substring(status.lastIndexOf(')') + 2).split(" ");
		long ended = (Long.parseLong(afterName[13]) + Long.parseLong(afterName[14])) * TICK_NANOS;
		return ended + Stream.concat(Stream.of(server), server.children()).mapToLong(ProcessorTime::ofProcess).sum();
	}

	/** What a process has used, with its threads that have ended, in nanoseconds. */
	static long ofService(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
	}

	/** What a process with one thread has used, more exactly, in nanoseconds. */
	private static long ofProcess(ProcessHandle process) {
		String times = read(folder(process).resolve("schedstat"));
		return times.isEmpty() ? 0 : Long.parseLong(times.split(" ")[0]);
	}

	private static Path folder(ProcessHandle process) {
		return PROCESSES.resolve(Long.toString(process.pid()));
	}

	/** Empty if the process has ended, or has no such file. */
	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
