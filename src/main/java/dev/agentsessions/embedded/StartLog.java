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

/** What PostgreSQL says, and above all why it did not start. */
final class StartLog {

	/** How its program {@code pg_ctl} says that the server has ended. */
	private static final String FAILED = "could not start server";

	private static final int MILLIS_BETWEEN_LOOKS = 100;

	private static final int LINES = 12;

	private final Path file;

	StartLog(Path file) {
		this.file = file;
	}

	/** Begins anew with each start. */
	Redirect redirect() {
		return Redirect.to(this.file.toFile());
	}

	/**
	 * Starts a server, and waits for it no longer than it runs.
	 * @throws DatabaseNotStartedException with the words of the server if it did not
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
			throw new DatabaseNotStartedException(this.file, words(), ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new DatabaseNotStartedException(this.file, words(), ex);
		}
		finally {
			thread.interrupt();
		}
	}

	private <T> T await(FutureTask<T> start) throws ExecutionException, InterruptedException {
		while (true) {
			try {
				return start.get(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				if (words().stream().anyMatch((line) -> line.contains(FAILED))) {
					throw new ExecutionException(ex);
				}
			}
		}
	}

	/** The last lines. */
	private List<String> words() {
		try {
			List<String> lines = new String(Files.readAllBytes(this.file), StandardCharsets.UTF_8).lines().toList();
			return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
		}
		catch (IOException ex) {
			return List.of();
		}
	}

}
