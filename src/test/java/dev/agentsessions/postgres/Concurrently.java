package dev.agentsessions.postgres;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Does many things at once. */
public final class Concurrently {

	private static final int SECONDS_TO_HANG = 60;

	private Concurrently() {
	}

	/**
	 * Runs a task so many times, each on a thread of its own and all let go at once.
	 * @param task the task; gets its number, from 0
	 * @return what each one answered, in the order of their numbers
	 */
	public static <T> List<T> run(int count, IntFunction<T> task) throws Exception {
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(count);
		try {
			List<Future<T>> answers = IntStream.range(0, count)
				.mapToObj((number) -> threads.submit(waiting(start, task, number)))
				.toList();
			start.countDown();
			return answers.stream().map(Concurrently::answer).toList();
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Begins a task on a thread of its own. The pool that tasks have in common has one
	 * thread where there are two processors.
	 */
	public static <T> CompletableFuture<T> start(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, (run) -> new Thread(run).start());
	}

	/** Begins a task on a thread of its own. */
	public static CompletableFuture<Void> start(Runnable task) {
		return CompletableFuture.runAsync(task, (run) -> new Thread(run).start());
	}

	private static <T> Callable<T> waiting(CountDownLatch start, IntFunction<T> task, int number) {
		return () -> {
			start.await();
			return task.apply(number);
		};
	}

	private static <T> T answer(Future<T> future) {
		try {
			return future.get(SECONDS_TO_HANG, TimeUnit.SECONDS);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new AssertionError("A task failed or hung", ex);
		}
	}

}
