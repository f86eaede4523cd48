package dev.agentsessions.postgres.servers;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Runs {@link MoveBuckets} with two servers.
 *
 * @param main the main server
 * @param other the server b
 */
record MoveCommand(DriverManagerDataSource main, DriverManagerDataSource other) {

	/** Moves buckets, with more arguments for the command. */
	Result run(String buckets, String to, String... more) {
		List<String> arguments = new ArrayList<>(
				List.of("--move-buckets=" + buckets, "--to=" + to, "--spring.datasource.url=" + this.main.getUrl(),
						"--spring.datasource.username=" + this.main.getUsername(),
						"--spring.datasource.password=" + this.main.getPassword(),
						"--agent-sessions.servers.b.url=" + this.other.getUrl()));
		arguments.addAll(List.of(more));
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		int exitCode = MoveBuckets.run(print(out), print(err), arguments.toArray(String[]::new));
		return new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
	}

	private static PrintStream print(ByteArrayOutputStream bytes) {
		return new PrintStream(bytes, true, StandardCharsets.UTF_8);
	}

	/**
	 * What the command did.
	 *
	 * @param exitCode its exit code
	 * @param out what it printed
	 * @param err what it printed as errors
	 */
	record Result(int exitCode, String out, String err) {
	}

}
