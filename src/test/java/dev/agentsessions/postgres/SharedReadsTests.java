package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.ResponseMemory;

/** Reads that wait at the same moment, with a statement that squares numbers. */
class SharedReadsTests extends PostgresStoreTest {

	private static final int MAX_GROUP = 16;

	private static final int FAILING = -1;

	private final ReaderThreads threads = new ReaderThreads(4, Duration.ofMinutes(1));

	private MemoryBoundedReads reads;

	@BeforeEach
	void setUp(@Autowired Transactions transactions, @Autowired ResponseMemory memory, @Autowired ReadMetrics metrics) {
		this.reads = new MemoryBoundedReads(transactions, this.threads, memory, metrics);
	}

	@AfterEach
	void closeThreads() {
		this.open.countDown();
		this.threads.close();
	}

	private final List<List<Integer>> groups = new CopyOnWriteArrayList<>();

	/** The first two statements wait for this. */
	private final CountDownLatch open = new CountDownLatch(1);

	@Test
	void readsThatWaitShareAStatementAndEachGetsItsOwnRows() {
		SharedReads<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, IntStream.range(0, 2 * MAX_GROUP).boxed().toList());
		this.open.countDown();
		for (int number = 0; number < results.size(); number++) {
			assertThat(results.get(number).join().square).isEqualTo(number * number);
		}
		assertThat(this.groups.stream().mapToInt(List::size).max()).hasValue(MAX_GROUP);
		assertThat(this.groups.stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	@Test
	void onlyTheReadThatFailsFails() {
		SharedReads<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, List.of(0, 1, 2, 3, FAILING, 5, 6));
		this.open.countDown();
		for (int number : List.of(0, 1, 2, 3, 5, 6)) {
			assertThat(results.get(number).join().square).isEqualTo(number * number);
		}
		assertThatThrownBy(results.get(4)::join).hasRootCauseInstanceOf(SessionException.InvalidArgument.class);
	}

	@Test
	void aSharedStatementReadsAtMostAFewTimesAsMuchAsAReadAlone() {
		assertThat(SharedReads.limit(1000, 1)).isEqualTo(1000);
		assertThat(SharedReads.limit(1000, 4)).isEqualTo(1000);
		assertThat(SharedReads.limit(1000, 16)).isEqualTo(250);
	}

	/** On another thread it could not see what the transaction has written. */
	@Test
	void aReadWithinATransactionStaysOnItsThread(@Autowired PlatformTransactionManager transactions) {
		this.open.countDown();
		List<Thread> threads = new ArrayList<>();
		SharedReads<Integer, Rows> shared = this.reads.shared((queries, deferFrom) -> {
			threads.add(Thread.currentThread());
			return squares(queries, deferFrom);
		}, MAX_GROUP);
		new TransactionTemplate(transactions).executeWithoutResult((status) -> shared.read(2));
		assertThat(threads).containsExactly(Thread.currentThread());
	}

	/** Starts reads, all but two of which wait while the first two are executed. */
	private List<CompletableFuture<Rows>> blocked(SharedReads<Integer, Rows> shared, List<Integer> queries) {
		List<CompletableFuture<Rows>> results = new ArrayList<>();
		for (int query : queries) {
			CompletableFuture<Rows> result = new CompletableFuture<>();
			Thread reader = new Thread(() -> result.completeAsync(() -> shared.read(query), Runnable::run));
			reader.start();
			results.add(result);
			int executing = Math.min(results.size(), 2);
			Awaitility.await()
				.until(() -> this.groups.size() == executing && reader.getState() == Thread.State.WAITING);
		}
		return results;
	}

	private List<Rows> squares(List<Integer> queries, long deferFrom) {
		this.groups.add(queries);
		await(this.open);
		if (queries.contains(FAILING)) {
			throw new SessionException.InvalidArgument("number", "made for the test");
		}
		return queries.stream().map((query) -> new Rows(query)).toList();
	}

	private static void await(CountDownLatch open) {
		try {
			open.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class Rows extends MemoryBoundedRows {

		private final int square;

		Rows(int number) {
			this.square = number * number;
		}

		@Override
		public void processRow(ResultSet row) {
			throw new IllegalStateException("The statement of this test has no rows");
		}

	}

}
