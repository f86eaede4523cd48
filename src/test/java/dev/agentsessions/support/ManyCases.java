package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Checks many independent cases on several threads, for tests of many requests. */
public final class ManyCases {

	private static final int THREADS = 16;

	private static final int MINUTES_TO_HANG = 5;

	private ManyCases() {
	}

	/**
	 * Checks every case. Fails after the last one, with a list of all cases that fail.
	 * @param cases at least one; the list of failures names them by {@code toString}
	 * @param check throws what is wrong with a case
	 */
	public static <T> void check(Stream<T> cases, Consumer<T> check) {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<CompletableFuture<Optional<String>>> checks = cases
				.map((item) -> CompletableFuture.supplyAsync(() -> failure(item, check), threads))
				.toList();
			assertThat(checks).isNotEmpty();
			assertThat(checks.stream()
				.map((failure) -> failure.orTimeout(MINUTES_TO_HANG, TimeUnit.MINUTES).join())
				.flatMap(Optional::stream)).as("failures of %d cases", checks.size()).isEmpty();
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static <T> Optional<String> failure(T item, Consumer<T> check) {
		try {
			check.accept(item);
			return Optional.empty();
		}
		catch (AssertionError | RuntimeException ex) {
			return Optional.of(item + ": " + ex);
		}
	}

}
