package dev.agentsessions.session.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/** Memory that the threads of responses take. */
class ResponseHeapTests {

	private static final long LARGE = 10L * ResponseHeap.MAX_UNCOUNTED_BYTES;

	/** More than all responses together may take. */
	private static final long ALL = Long.MAX_VALUE / 2;

	private final ResponseHeap memory = new ResponseHeap();

	@AfterEach
	void end() {
		this.memory.end();
	}

	@Test
	void countsLargeDataOfAResponse() {
		this.memory.begin();
		this.memory.take(LARGE);
		this.memory.count(LARGE);
		assertThat(this.memory.taken()).isEqualTo(2 * LARGE);
	}

	@Test
	void doesNotCountSmallData() {
		this.memory.begin();
		this.memory.take(ResponseHeap.MAX_UNCOUNTED_BYTES);
		this.memory.count(ResponseHeap.MAX_UNCOUNTED_BYTES);
		assertThat(this.memory.taken()).isZero();
	}

	@Test
	void countsNothingOutsideOfAResponse() {
		this.memory.take(ALL);
		this.memory.count(ALL);
		assertThat(this.memory.taken()).isZero();
		onAnotherThread(() -> {
			this.memory.begin();
			this.memory.count(LARGE);
			this.memory.end();
		}).join();
	}

	@Test
	void readsOfLargeDataLeaveHalfToOthers() {
		this.memory.begin();
		this.memory.take(ALL);
		onAnotherThread(this::countLarge).join();
		assertThat(this.memory.taken()).isEqualTo(HeapShare.READS.bytes() / 2 / 1024 * 1024);
	}

	@Test
	void givesEverythingBackAtTheEndOfTheResponse() {
		this.memory.begin();
		this.memory.count(ALL);
		assertRefused(onAnotherThread(this::countLarge));
		this.memory.end();
		this.memory.count(ALL);
		assertThat(this.memory.taken()).isZero();
		onAnotherThread(this::countLarge).join();
	}

	@Test
	void givesBackWhatIsWritten() {
		this.memory.begin();
		this.memory.take(LARGE);
		this.memory.count(ALL);
		assertRefused(onAnotherThread(this::countLarge));
		this.memory.backTo(LARGE);
		assertThat(this.memory.taken()).isEqualTo(LARGE);
		onAnotherThread(this::countLarge).join();
	}

	@Test
	void dataThatIsReadNextWaitsForMemory() {
		this.memory.begin();
		this.memory.take(ALL);
		CompletableFuture<Void> other = waitsForMemory(() -> this.memory.take(LARGE));
		this.memory.end();
		other.join();
	}

	@Test
	void dataThatHasBeenReadDoesNotWaitForMemory() {
		this.memory.begin();
		this.memory.count(ALL);
		CompletableFuture<Void> other = waitsForMemory(() -> this.memory.count(LARGE));
		this.memory.end();
		assertRefused(other);
	}

	private void countLarge() {
		this.memory.begin();
		this.memory.count(LARGE);
		this.memory.end();
	}

	/** Begins a response that takes memory, and returns when it waits or is refused. */
	private CompletableFuture<Void> waitsForMemory(Runnable taking) {
		CompletableFuture<Void> result = new CompletableFuture<>();
		CountDownLatch begun = new CountDownLatch(1);
		Thread thread = new Thread(() -> result.completeAsync(() -> {
			this.memory.begin();
			begun.countDown();
			taking.run();
			return null;
		}, Runnable::run));
		thread.start();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> begun.getCount() == 0 && (result.isDone() || thread.getState() == Thread.State.TIMED_WAITING));
		return result;
	}

	private static CompletableFuture<Void> onAnotherThread(Runnable work) {
		return CompletableFuture.runAsync(work, (run) -> new Thread(run).start());
	}

	private static void assertRefused(CompletableFuture<Void> work) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(work::join)
			.withCauseInstanceOf(SessionException.Unavailable.class);
	}

}
