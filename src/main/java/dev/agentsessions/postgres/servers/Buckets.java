package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.RunningReplicas.OwnRow;
import dev.agentsessions.postgres.servers.RunningReplicas.OwnRow.Locked;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;

/**
 * Knows which server has the users of each bucket, also while {@link MoveBuckets} moves
 * one.
 *
 * <p>
 * The command holds two locks on the main server: one with the number of the bucket, and
 * one with a number that it has drawn for the step of its work. Every replica looks for
 * these locks, and then at the table {@code buckets}. While it sees the lock of a bucket,
 * new calls for its users wait. In its row of {@code replicas}, the replica says which
 * step it has seen, when the calls have ended that began before it and that the step has
 * to wait for. The steps are:
 * <ol>
 * <li>The bucket is stopped. Calls for its users have ended. The command copies the
 * bucket and names its new server.
 * <li>The bucket is still stopped. Each replica knows the new server, so no list misses
 * what a user stores as soon as the lock has ended.
 * <li>The bucket goes on. Lists that began before have ended. The command deletes the
 * rows on the old server.
 * </ol>
 * If the command dies, its locks end with its connection. What a replica says counts for
 * one step only, so it does not matter when it says it.
 */
@Component
@OnSeveralServers
class Buckets implements DisposableBean {

	/** The first number of the lock of a bucket; the second one is the bucket. */
	static final int LOCK = 0x6d6f7665;

	/** The first number of the lock of a step; the second one is the step. */
	static final int STEP_LOCK = LOCK + 1;

	/** The second number of the lock for the state of apps, which is in no bucket. */
	static final int STATE_OF_APPS = 256;

	private static final Logger logger = LoggerFactory.getLogger(Buckets.class);

	private static final long INTERVAL_MILLIS = 300;

	/** While buckets are moved, so that their users wait shortly. */
	private static final long INTERVAL_OF_MOVES_MILLIS = 30;

	/** How long a call waits while its bucket is moved. */
	private static final long MAX_WAIT_MILLIS = 10_000;

	/** How many calls wait at once; each has a thread, but no connection. */
	private static final int MAX_WAITING = 100;

	private static final String SERVERS = "select bucket, server from buckets";

	private final Servers servers;

	private final Transactions transactions;

	private final JdbcClient jdbc;

	private final ScheduledExecutorService looking = Executors
		.newSingleThreadScheduledExecutor(new CustomizableThreadFactory("scheduling-buckets-"));

	/** Where the buckets are for the call of this thread. */
	private final ThreadLocal<@Nullable Whereabouts> ofCall = new ThreadLocal<>();

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	private volatile Whereabouts current = new Whereabouts(Map.of(), null);

	/** Those before the current one that may have calls. */
	private final List<Whereabouts> earlier = new ArrayList<>();

	private final OwnRow row;

	/** When it saw a lock, by {@link System#nanoTime()}. */
	private long lastMove = System.nanoTime();

	Buckets(Servers servers, Transactions transactions, JdbcClient jdbc) {
		this.servers = servers;
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.row = new OwnRow(transactions, jdbc, servers.all().stream().map(Server::name).toList());
		try {
			look();
		}
		catch (RuntimeException ex) {
			destroy();
			throw ex;
		}
		this.looking.schedule(this::lookAgain, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
	}

	private synchronized void lookAgain() {
		if (this.looking.isShutdown()) {
			return;
		}
		try {
			look();
		}
		catch (SessionException.Unavailable ex) {
			logger.debug("The buckets stay where they are for this replica", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.error("This replica does not see whether buckets are moved", ex);
		}
		boolean moving = System.nanoTime() - this.lastMove < TimeUnit.SECONDS.toNanos(2);
		this.looking.schedule(this::lookAgain, moving ? INTERVAL_OF_MOVES_MILLIS : INTERVAL_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	/**
	 * Looks for the locks first: if one has ended since, the table says where the bucket
	 * is.
	 */
	private void look() {
		Locked locked = this.row.look();
		Map<Integer, Server> byBucket = new HashMap<>();
		this.transactions.statement(
				() -> this.jdbc.sql(SERVERS).query((row, number) -> Map.entry(row.getInt(1), row.getString(2))).list())
			.forEach((bucket) -> byBucket.put(bucket.getKey(), this.servers.named(bucket.getValue())));
		become(new Whereabouts(byBucket, locked.bucket()));
		Integer step = locked.step();
		if (step != null) {
			this.lastMove = System.nanoTime();
			if (!step.equals(locked.seen()) && haveEnded(locked.bucket())) {
				this.row.saySeen(step);
			}
		}
	}

	private void become(Whereabouts next) {
		Whereabouts before = this.current;
		if (!next.isAs(before)) {
			this.current = next;
			this.earlier.add(before);
			before.ended().countDown();
		}
	}

	/**
	 * Returns whether earlier calls have ended: those for users of the bucket that is
	 * stopped now, or if none is, those for several users. Calls for users of other
	 * buckets look for their rows where they still are.
	 */
	private boolean haveEnded(@Nullable Integer bucket) {
		this.earlier.removeIf((places) -> !places.hasCalls());
		int calls = Objects.requireNonNullElse(bucket, Whereabouts.SEVERAL);
		return this.earlier.stream().noneMatch((places) -> places.hasCalls(calls));
	}

	/**
	 * Begins a call. If it is for a user of a bucket that is being moved, it waits.
	 * @param key the key of the user or the scope of facts; {@code null} for a call that
	 * is for several
	 * @return the call, which has to be ended
	 * @throws SessionException.Unavailable if the move takes too long, or too many calls
	 * wait
	 */
	Call begin(@Nullable UUID key) {
		int bucket = (key != null) ? ScopeKey.bucket(key) : Whereabouts.SEVERAL;
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS);
		while (true) {
			Whereabouts places = this.current;
			if (places.isStopped(bucket)) {
				await(places, end);
			}
			else {
				places.begin(bucket);
				if (places == this.current) {
					return new Call(places, bucket);
				}
				places.end(bucket);
			}
		}
	}

	/**
	 * Reads rows of several users within the call of one. Other buckets may have been
	 * moved since the call began.
	 */
	<T> T readOfSeveral(Supplier<T> read) {
		return call(null, read);
	}

	/**
	 * Reads more of what a call has begun to read, as a call of its own.
	 * @param server where it has begun
	 * @throws SessionException.Unavailable if the user is on another server now
	 */
	<T> T read(UUID user, Server server, Supplier<T> more) {
		return call(user, () -> {
			if (of(user) != server) {
				throw beingMoved();
			}
			return more.get();
		});
	}

	private <T> T call(@Nullable UUID key, Supplier<T> work) {
		Call call = begin(key);
		try {
			return work.get();
		}
		finally {
			call.end();
		}
	}

	private void await(Whereabouts places, long end) {
		if (!this.waiting.tryAcquire()) {
			throw beingMoved();
		}
		try {
			if (!places.ended().await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
				throw beingMoved();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(ex);
		}
		finally {
			this.waiting.release();
		}
	}

	private static SessionException.Unavailable beingMoved() {
		return new SessionException.Unavailable("The user is being moved to another server. Please retry.");
	}

	/** Returns the server of a user; for an app, the main server. */
	Server of(StateOwner owner) {
		return of((owner.userId() != null) ? ScopeKey.of(owner) : null);
	}

	/**
	 * Returns the server of the user or the scope of facts with a key; without a key, the
	 * main server.
	 */
	Server of(@Nullable UUID key) {
		Whereabouts places = Objects.requireNonNullElse(this.ofCall.get(), this.current);
		Server server = (key != null) ? places.byBucket().get(ScopeKey.bucket(key)) : null;
		return (server != null) ? server : this.servers.main();
	}

	/** A replica that is killed leaves its row, and the command asks about it. */
	@Override
	public synchronized void destroy() {
		this.looking.shutdown();
		this.row.end();
	}

	/** A call of a port of the store. */
	final class Call {

		private final Whereabouts places;

		private final int bucket;

		private final @Nullable Whereabouts outer;

		private Call(Whereabouts places, int bucket) {
			this.places = places;
			this.bucket = bucket;
			this.outer = Buckets.this.ofCall.get();
			Buckets.this.ofCall.set(places);
		}

		/** Ends the call, on the thread that began it. */
		void end() {
			Buckets.this.ofCall.set(this.outer);
			this.places.end(this.bucket);
		}

	}

	/**
	 * Where the buckets are for some time, and the calls that began in it.
	 *
	 * @param byBucket the servers of the buckets that are not on the main server
	 * @param stopped the bucket that is being moved, {@code null} for none
	 * @param calls how many calls there are for users of each bucket, and for several
	 * @param ended is at zero when the time has ended
	 */
	private record Whereabouts(Map<Integer, Server> byBucket, @Nullable Integer stopped, AtomicIntegerArray calls,
			CountDownLatch ended) {

		/** Counts calls for several users. */
		static final int SEVERAL = 256;

		Whereabouts(Map<Integer, Server> byBucket, @Nullable Integer stopped) {
			this(byBucket, stopped, new AtomicIntegerArray(SEVERAL + 1), new CountDownLatch(1));
		}

		boolean isAs(Whereabouts other) {
			return this.byBucket.equals(other.byBucket) && Objects.equals(this.stopped, other.stopped);
		}

		boolean isStopped(int bucket) {
			return this.stopped != null && this.stopped == bucket;
		}

		void begin(int bucket) {
			this.calls.incrementAndGet(bucket);
		}

		void end(int bucket) {
			this.calls.decrementAndGet(bucket);
		}

		boolean hasCalls() {
			return IntStream.rangeClosed(0, SEVERAL).anyMatch(this::hasCalls);
		}

		boolean hasCalls(int bucket) {
			return this.calls.get(bucket) > 0;
		}

	}

}
