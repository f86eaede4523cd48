package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import dev.agentsessions.web.ConnectionLimits.BoundedThreadExecutor;

/** So many tasks at once and no more, and each of them some time. */
class BoundedThreadExecutorTests {

	@RepeatedTest(20)
	void runsEveryTaskAndNeverTooManyAtOnce() throws Exception {
		BoundedThreadExecutor threads = new BoundedThreadExecutor(Thread::new, 3);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		CountDownLatch done = new CountDownLatch(400);
		Runnable task = () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			Thread.yield();
			running.decrementAndGet();
			done.countDown();
		};
		IntStream.range(0, 4)
			.mapToObj((number) -> new Thread(() -> IntStream.range(0, 100).forEach((i) -> threads.execute(task))))
			.forEach(Thread::start);

		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(most).hasValueBetween(1, 3);
	}

	@Test
	void goesOnAfterATaskThatFails() throws Exception {
		BoundedThreadExecutor threads = new BoundedThreadExecutor((task) -> {
			Thread thread = new Thread(task);
			thread.setUncaughtExceptionHandler((failed, ex) -> {
			});
			return thread;
		}, 1);
		CountDownLatch done = new CountDownLatch(1);
		threads.execute(() -> {
			throw new IllegalStateException();
		});
		threads.execute(done::countDown);
		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
	}

}
