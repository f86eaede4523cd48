package dev.agentsessions.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.startup.StartupException;

/** The log of PostgreSQL, which tells why it did not start. */
final class StartLog {

	/** Output of the program {@code pg_ctl} when the server has ended. */
	private static final String START_FAILED = "could not start server";

	private static final String COPIED_FOLDER_ACTION = """
			The folder looks like a copy of one that is in use, or is in use itself. Stop the service before you copy its folder. \
			If no PostgreSQL runs on this one, delete its file postgres/postmaster.pid, and start again.""";

	private static final String OTHER_ACTION = "Fix the problem that PostgreSQL reports, and start again.";

	private static final int POLL_MILLIS = 100;

	private static final int MAX_LINES = 12;

	private final Path file;

	StartLog(Path file) {
		this.file = file;
	}

	/** Redirects output to the log; each start begins a new log. */
	Redirect redirect() {
		return Redirect.to(this.file.toFile());
	}

	/**
	 * Starts a server, and stops waiting when the server ends.
	 * @throws StartupException with the last lines of the log if the server did not start
	 */
	<T> T watch(Callable<T> start) throws IOException {
		Files.deleteIfExists(this.file);
		FutureTask<T> task = new FutureTask<>(start);
		Thread thread = new Thread(task, "postgres-start");
		thread.setDaemon(true);
		thread.start();
		try {
			return await(task);
		}
		catch (ExecutionException ex) {
			throw notStarted(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw notStarted(ex);
		}
		finally {
			thread.interrupt();
		}
	}

	private <T> T await(FutureTask<T> start) throws ExecutionException, InterruptedException {
		while (true) {
			try {
				return start.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				if (lastLines().stream().anyMatch((line) -> line.contains(START_FAILED))) {
					throw new ExecutionException(ex);
				}
			}
		}
	}

	private StartupException notStarted(@Nullable Throwable cause) {
		String lines = String.join("\n    ", lastLines());
		return new StartupException(
				"PostgreSQL did not start. Its log is " + this.file + "\nThe last lines of its log:\n\n    " + lines,
				lines.contains("postmaster.pid") ? COPIED_FOLDER_ACTION : OTHER_ACTION, cause);
	}

	private List<String> lastLines() {
		try {
			List<String> lines = new String(Files.readAllBytes(this.file), StandardCharsets.UTF_8).lines().toList();
			return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size());
		}
		catch (IOException ex) {
			return List.of();
		}
	}

}
