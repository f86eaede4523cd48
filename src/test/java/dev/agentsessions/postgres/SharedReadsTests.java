package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.agentsessions.postgres.HeapBoundedReads.ReadMetrics;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/** Reads that wait at the same moment, with a statement that squares numbers. */
class SharedReadsTests extends PostgresStoreTest {

	private static final int MAX_GROUP = 16;

	private static final int FAILING = -1;

	/** Reads of larger numbers are deferred. */
	private static final int LARGE = 1000;

	private final ReaderThreads threads = Readers.of(4, Duration.ofMinutes(1));

	private HeapBoundedReads reads;

	@BeforeEach
	void setUp(@Autowired Transactions transactions, @Autowired ResponseHeap memory, @Autowired ReadMetrics metrics) {
		this.reads = new HeapBoundedReads(transactions, this.threads, memory, metrics);
	}

	@AfterEach
	void closeThreads() {
		open();
		this.threads.close();
	}

	private final List<List<Integer>> groups = new CopyOnWriteArrayList<>();

	private final List<Long> limits = new CopyOnWriteArrayList<>();

	/** Counts the begins of reads and of statements. */
	private final AtomicLong clock = new AtomicLong();

	private final AtomicInteger statements = new AtomicInteger();

	/** All statements but the second wait for this. */
	private final CountDownLatch openFirst = new CountDownLatch(1);

	private final CountDownLatch openSecond = new CountDownLatch(1);

	@Test
	void readsThatWaitShareAStatementAndEachGetsItsOwnRows() {
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, IntStream.range(0, 2 * MAX_GROUP).boxed().toList());
		openOneByOne();
		for (int number = 0; number < results.size(); number++) {
			assertThat(results.get(number).join().square).isEqualTo(number * number);
		}
		assertThat(this.groups.stream().mapToInt(List::size).max()).hasValue(MAX_GROUP);
		assertThat(this.groups.stream().flatMap(List::stream)).doesNotHaveDuplicates();
	}

	/**
	 * A statement that began before a read cannot see what was committed between, even if
	 * it reads the same.
	 */
	@Test
	void aStatementBeginsAfterAllOfItsReads() {
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, Collections.nCopies(2 * MAX_GROUP, 7));
		openOneByOne();
		results.forEach((result) -> assertThat(result.join().begin).isGreaterThan(result.join().readBegin));
	}

	@Test
	void aStatementOfManyThreadsBeginsAfterAllOfItsReads() throws Exception {
		open();
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		Concurrently.run(MAX_GROUP, (number) -> {
			for (int read = 0; read < 100; read++) {
				Rows rows = read(shared, read % 3);
				assertThat(rows.begin).isGreaterThan(rows.readBegin);
			}
			return number;
		});
	}

	@Test
	void eachReadOfAStatementGetsAPartOfWhatItMayRead() {
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		blocked(shared, IntStream.range(0, 2 + MAX_GROUP).boxed().toList());
		openOneByOne();
		long alone = HeapBoundedReads.DEFER_FROM_BYTES;
		assertThat(this.limits).containsExactly(alone, alone, SharedReads.limit(alone, MAX_GROUP));
	}

	@Test
	void whatIsLargeIsReadByAStatementOfItsOwn() {
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, List.of(0, 1, 2, LARGE, 4));
		openOneByOne();
		assertThat(results.get(3).join().hasDeferred()).isFalse();
		results.forEach(CompletableFuture::join);
		assertThat(this.groups).contains(List.of(2, LARGE, 4)).endsWith(List.of(LARGE));
		assertThat(this.limits).endsWith(Long.MAX_VALUE);
	}

	@Test
	void aReadThatWaitsTooLongIsUnavailableAndNotExecuted(@Autowired Transactions transactions,
			@Autowired ResponseHeap memory, @Autowired ReadMetrics metrics) {
		open();
		try (ReaderThreads impatient = Readers.of(1, Duration.ofNanos(1))) {
			Function<Integer, Rows> shared = new HeapBoundedReads(transactions, impatient, memory, metrics)
				.shared(this::squares, MAX_GROUP);
			assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> shared.apply(1));
		}
		assertThat(this.groups).isEmpty();
	}

	@Test
	void readsThatWaitedTooLongAreInNoStatement(@Autowired Transactions transactions, @Autowired ResponseHeap memory,
			@Autowired ReadMetrics metrics) {
		Duration wait = Duration.ofSeconds(3);
		try (ReaderThreads impatient = Readers.of(4, wait)) {
			Function<Integer, Rows> shared = new HeapBoundedReads(transactions, impatient, memory, metrics)
				.shared(this::squares, MAX_GROUP);
			List<CompletableFuture<Rows>> results = blocked(shared, List.of(0, 1, 2, 3, 4));
			long since = System.nanoTime();
			Awaitility.await().until(() -> System.nanoTime() - since > wait.toNanos());
			open();
			results.subList(0, 2).forEach(CompletableFuture::join);
			results.subList(2, 5)
				.forEach((late) -> assertThatThrownBy(late::join)
					.hasCauseInstanceOf(SessionException.Unavailable.class));
		}
		assertThat(this.groups).containsExactlyInAnyOrder(List.of(0), List.of(1));
	}

	@Test
	void onlyTheReadThatFailsFails() {
		Function<Integer, Rows> shared = this.reads.shared(this::squares, MAX_GROUP);
		List<CompletableFuture<Rows>> results = blocked(shared, List.of(0, 1, 2, 3, FAILING, 5, 6));
		openOneByOne();
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
		open();
		List<Thread> threads = new ArrayList<>();
		Function<Integer, Rows> shared = this.reads.shared((queries, deferFrom) -> {
			threads.add(Thread.currentThread());
			return squares(queries, deferFrom);
		}, MAX_GROUP);
		new TransactionTemplate(transactions).executeWithoutResult((status) -> shared.apply(2));
		assertThat(threads).containsExactly(Thread.currentThread());
	}

	/** Starts reads, all but two of which wait while the first two are executed. */
	private List<CompletableFuture<Rows>> blocked(Function<Integer, Rows> shared, List<Integer> queries) {
		List<CompletableFuture<Rows>> results = new ArrayList<>();
		for (int query : queries) {
			CompletableFuture<Rows> result = new CompletableFuture<>();
			Thread reader = new Thread(() -> result.completeAsync(() -> read(shared, query), Runnable::run));
			reader.start();
			results.add(result);
			int executing = Math.min(results.size(), 2);
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> this.groups.size() == executing && reader.getState() == Thread.State.WAITING);
		}
		return results;
	}

	private void open() {
		this.openFirst.countDown();
		this.openSecond.countDown();
	}

	/**
	 * Lets the thread of the first statement take what waits before the second goes on:
	 * two threads at the same moment would divide the reads by chance.
	 */
	private void openOneByOne() {
		this.openFirst.countDown();
		Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> this.groups.size() > 2);
		this.openSecond.countDown();
	}

	private Rows read(Function<Integer, Rows> shared, int query) {
		long begin = this.clock.incrementAndGet();
		Rows rows = shared.apply(query);
		rows.readBegin = begin;
		return rows;
	}

	private List<Rows> squares(List<Integer> queries, long deferFrom) {
		long begin = this.clock.incrementAndGet();
		this.limits.add(deferFrom);
		this.groups.add(queries);
		await((this.statements.incrementAndGet() == 2) ? this.openSecond : this.openFirst);
		if (queries.contains(FAILING)) {
			throw new SessionException.InvalidArgument("number", "made for the test");
		}
		List<Rows> rows = queries.stream().map((query) -> new Rows(query, begin, deferFrom)).toList();
		rows.forEach((one) -> this.jdbc.query("select 1 as size", one));
		return rows;
	}

	private static void await(CountDownLatch open) {
		try {
			open.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class Rows extends HeapBoundedReads.Rows {

		private final int square;

		/** When its statement began. */
		private final long begin;

		/** When its read began. */
		private volatile long readBegin;

		private final boolean deferred;

		Rows(int number, long begin, long deferFrom) {
			this.square = number * number;
			this.begin = begin;
			this.deferred = number >= LARGE && deferFrom < Long.MAX_VALUE;
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			count(row, this.deferred);
		}

	}

}
