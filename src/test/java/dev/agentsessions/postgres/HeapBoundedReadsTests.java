package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/** What reads of large values take from the memory of responses, and when. */
class HeapBoundedReadsTests extends PostgresStoreTest {

	private static final long SIZE = 3 << 20;

	@Autowired
	private HeapBoundedReads reads;

	@Autowired
	private ResponseHeap memory;

	private final List<Long> limits = new ArrayList<>();

	@BeforeEach
	void begin() {
		this.memory.begin();
	}

	@AfterEach
	void end() {
		this.memory.end();
	}

	@Test
	void takesMemoryBeforeItReadsLargeValues() {
		Rows rows = this.reads.read(() -> {
			assertThat(this.memory.taken()).isZero();
			return rows(true);
		}, () -> {
			assertThat(this.memory.taken()).isEqualTo(SIZE);
			return rows(false);
		});
		assertThat(rows.hasDeferred()).isFalse();
		assertThat(this.memory.taken()).isEqualTo(SIZE);
	}

	@Test
	void defersValuesOfAMegabyteAndReadsThemInASecondStatement() {
		Rows rows = this.reads.read((deferFrom) -> {
			this.limits.add(deferFrom);
			return rows(deferFrom <= SIZE);
		});
		assertThat(rows.hasDeferred()).isFalse();
		assertThat(this.limits).containsExactly(HeapBoundedReads.DEFER_FROM_BYTES, Long.MAX_VALUE);
	}

	@Test
	void countsWhatOneStatementHasRead() {
		this.reads.read((deferFrom) -> {
			this.limits.add(deferFrom);
			return rows(false);
		});
		assertThat(this.limits).hasSize(1);
		assertThat(this.memory.taken()).isEqualTo(SIZE);
	}

	@Test
	void largeValuesWaitForMemoryAndWhatIsReadDoesNot() {
		this.memory.count(Long.MAX_VALUE / 2);
		Read large = new Read(() -> this.reads.read(() -> rows(true), () -> {
			assertThat(this.memory.taken()).isEqualTo(SIZE);
			return rows(false);
		}));
		Read small = new Read(() -> this.reads.read(() -> rows(false), () -> rows(false)));
		large.awaitWaiting();
		small.awaitWaiting();
		assertThat(large.result).isNotDone();
		this.memory.end();
		assertThat(large.result).succeedsWithin(Duration.ofMinutes(1));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(small.result::join)
			.withCauseInstanceOf(SessionException.Unavailable.class);
	}

	@Test
	void theChunksOfAStreamUseTheSameMemoryOneAfterTheOther() {
		this.memory.take(SIZE);
		List<Event> first = chunk();
		EventStream stream = this.reads.stream(first, (chunk) -> () -> {
			assertThat(this.memory.taken()).isEqualTo(SIZE);
			return (this.limits.size() < 3) ? chunk() : List.of();
		});
		List<Event> read = new ArrayList<>();
		stream.forEach(read::add);
		assertThat(read).hasSize(3);
	}

	/** Reads a large event, as one statement does. */
	private List<Event> chunk() {
		this.limits.add(SIZE);
		this.memory.count(SIZE);
		return List.of(new Event(1, Instant.EPOCH, "e1", new JsonText("\"" + "a".repeat((int) SIZE - 2) + "\"")));
	}

	private Rows rows(boolean deferred) {
		Rows rows = new Rows(deferred);
		this.jdbc.query("select " + SIZE + " as size", rows);
		return rows;
	}

	/** A response that reads on a thread of its own. */
	private final class Read {

		private final CompletableFuture<Rows> result = new CompletableFuture<>();

		private final Thread thread;

		Read(Supplier<Rows> read) {
			this.thread = new Thread(() -> this.result.completeAsync(() -> {
				HeapBoundedReadsTests.this.memory.begin();
				try {
					return read.get();
				}
				finally {
					HeapBoundedReadsTests.this.memory.end();
				}
			}, Runnable::run));
			this.thread.start();
		}

		/** Waits until the response waits for memory, or has its result. */
		void awaitWaiting() {
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> this.result.isDone() || this.thread.getState() == Thread.State.TIMED_WAITING);
		}

	}

	private static final class Rows extends HeapBoundedReads.Rows {

		private final boolean deferred;

		Rows(boolean deferred) {
			this.deferred = deferred;
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			count(row, this.deferred);
		}

	}

}
