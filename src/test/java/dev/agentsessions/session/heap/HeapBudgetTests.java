package dev.agentsessions.session.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/** Requests that take from one budget of ten kilobytes. */
class HeapBudgetTests {

	private static final double MAX_SUM_OF_SHARES = 0.85;

	private static final int KB = 1024;

	private static final int TOTAL = 10 * KB;

	private final HeapBudget budget = new HeapBudget(TOTAL);

	@Test
	void sharesLeaveMemoryToTheRestOfTheService() {
		long sum = Stream.of(HeapShare.values()).mapToLong(HeapShare::bytes).sum();
		assertThat(sum).isLessThanOrEqualTo((long) (MAX_SUM_OF_SHARES * Runtime.getRuntime().maxMemory()));
	}

	@Test
	void aRequestGetsNoMemoryThatOthersHave() {
		HeapBudget.Share first = this.budget.open();
		first.takeNow(TOTAL - KB);
		this.budget.open().takeNow(KB);
		assertRefused(() -> this.budget.open().takeNow(1));
		first.close();
		this.budget.open().takeNow(TOTAL - KB);
	}

	@Test
	void manySmallPartsOfARequestTakeNoMoreThanTheirSum() {
		HeapBudget.Share share = this.budget.open();
		for (int part = 0; part < TOTAL; part++) {
			share.takeNow(1);
		}
		assertThat(share.bytes()).isEqualTo(TOTAL);
		assertRefused(() -> this.budget.open().takeNow(1));
	}

	@Test
	void aRequestWaitsForMemoryThatAnotherGivesBack() {
		HeapBudget.Share first = this.budget.open();
		first.takeNow(TOTAL);
		Taking second = new Taking(this.budget.open(), TOTAL, (share, bytes) -> share.take(bytes));
		second.awaitWaiting();
		first.close();
		assertThat(second.result).succeedsWithin(Duration.ofMinutes(1));
	}

	@Test
	void aRequestDoesNotWaitForeverForMemory() {
		this.budget.open().takeNow(TOTAL);
		assertRefused(() -> this.budget.open().take(1));
	}

	@Test
	void aRequestThatMustNotWaitDoesNotWait() {
		HeapBudget.Share first = this.budget.open();
		first.takeNow(TOTAL);
		Taking second = new Taking(this.budget.open(), TOTAL, HeapBudget.Share::takeNow);
		second.awaitWaiting();
		first.close();
		assertThat(second.result).isCompletedExceptionally();
	}

	@Test
	void aSmallRequestDoesNotQueueAfterALargeOne() {
		HeapBudget.Share first = this.budget.open();
		first.takeNow(TOTAL / 2);
		Taking large = new Taking(this.budget.open(), TOTAL, (share, bytes) -> share.take(bytes, 60));
		large.awaitWaiting();
		HeapBudget.Share small = this.budget.open();
		small.takeNow(KB);
		small.close();
		first.close();
		assertThat(large.result).succeedsWithin(Duration.ofMinutes(1));
	}

	@Test
	void aRequestThatIsLargerThanTheBudgetRunsAlone() {
		HeapBudget.Share large = this.budget.open();
		large.takeNow(100L * TOTAL);
		large.takeNow(100L * TOTAL);
		assertRefused(() -> this.budget.open().takeNow(1));
		large.close();
		HeapBudget.Share small = this.budget.open();
		small.takeNow(1);
		assertRefused(() -> large.takeNow(100L * TOTAL));
		small.close();
		large.takeNow(100L * TOTAL);
	}

	@Test
	void aRequestGivesBackWhatItHasTakenSince() {
		HeapBudget.Share share = this.budget.open();
		share.takeNow(2 * KB);
		share.takeNow(8 * KB);
		share.backTo(2 * KB);
		assertThat(share.bytes()).isEqualTo(2 * KB);
		this.budget.open().takeNow(8 * KB);
		assertRefused(() -> this.budget.open().takeNow(1));
		share.backTo(5 * KB);
		assertThat(share.bytes()).isEqualTo(2 * KB);
	}

	@Test
	void whatIsRefusedIsNotTaken() {
		HeapBudget.Share share = this.budget.open();
		share.takeNow(KB);
		HeapBudget.Share other = this.budget.open();
		other.takeNow(KB);
		assertRefused(() -> share.takeNow(TOTAL));
		assertThat(share.bytes()).isEqualTo(KB);
		other.takeNow(8 * KB);
	}

	@Test
	void anInterruptedRequestDoesNotWait() {
		this.budget.open().takeNow(TOTAL);
		Thread.currentThread().interrupt();
		assertRefused(() -> this.budget.open().take(1, 60));
		assertThat(Thread.interrupted()).isTrue();
	}

	private static void assertRefused(Runnable taking) {
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(taking::run);
	}

	/** A request that takes memory on a thread of its own. */
	private static final class Taking {

		private final CompletableFuture<Void> result = new CompletableFuture<>();

		private final Thread thread;

		Taking(HeapBudget.Share share, long bytes, Take take) {
			this.thread = new Thread(() -> this.result.completeAsync(() -> {
				take.take(share, bytes);
				return null;
			}, Runnable::run));
			this.thread.start();
		}

		/** Waits until the request waits, or has its result. */
		void awaitWaiting() {
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> this.result.isDone() || this.thread.getState() == Thread.State.TIMED_WAITING);
		}

	}

	private interface Take {

		void take(HeapBudget.Share share, long bytes);

	}

}
