package dev.agentsessions.postgres.servers;

import java.net.InetAddress;
import java.net.UnknownHostException;
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

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;

/**
 * Knows which server has the users of each bucket, also while {@link MoveBuckets} moves
 * one.
 *
 * <p>
 * The command holds a lock with the number of the bucket on the main server. Every
 * replica looks for the lock and at the table {@code buckets}. While it sees the lock,
 * new calls for users of the bucket wait. When the calls that had begun before have
 * ended, the replica says so in its row of {@code replicas}. Then the command copies the
 * bucket, names its new server, and its transaction ends, and so does the lock. Once more
 * the replica says when the calls that had begun before have ended, and the command
 * deletes the rows on the old server. So each call finds the rows where it looks for
 * them. If the command dies, the lock ends, and nothing has changed.
 */
@Component
@OnSeveralServers
class Buckets implements DisposableBean {

	/**
	 * The first number of the lock that is held while a bucket is moved. The second one
	 * is the bucket.
	 */
	static final int LOCK = 0x6d6f7665;

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

	/** In the row of a replica that may have calls that do not know where buckets are. */
	private static final int UNSURE = -1;

	private static final String REGISTER = """
			insert into replicas (host, servers, stopped) values (?, ?, ?) returning id
			""";

	private static final String LOCKED = """
			select (
			    select cast(objid as int) from pg_locks
			    where locktype = 'advisory' and classid = ? and objid < ? and objsubid = 2 and granted
			      and database = (select oid from pg_database where datname = current_database())
			    limit 1) as bucket,
			  exists (select from replicas where id = ?) as registered
			""";

	private static final String SERVERS = "select bucket, server from buckets";

	private static final String STOP = "update replicas set stopped = ? where id = ?";

	private static final String END = "delete from replicas where id = ?";

	private final Servers servers;

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final ScheduledExecutorService looking = Executors
		.newSingleThreadScheduledExecutor(new CustomizableThreadFactory("scheduling-buckets-"));

	/** Where the buckets are for the call of this thread. */
	private final ThreadLocal<@Nullable Whereabouts> ofCall = new ThreadLocal<>();

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	private volatile Whereabouts current = new Whereabouts(Map.of(), UNSURE);

	/** Those before the current one that may have calls. */
	private final List<Whereabouts> earlier = new ArrayList<>();

	/** What the row of this replica says; {@code null} for no bucket. */
	private @Nullable Integer stopped = UNSURE;

	private long id;

	/** When it saw a lock, by {@link System#nanoTime()}. */
	private long lastMove = System.nanoTime();

	Buckets(Servers servers, Transactions transactions, JdbcTemplate jdbc) {
		this.servers = servers;
		this.transactions = transactions;
		this.jdbc = jdbc;
		register();
		look();
		this.looking.schedule(this::lookAgain, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Before it looks for locks: a move sees the row, or the replica sees the lock. */
	private void register() {
		String[] names = this.servers.all().stream().map(Server::name).toArray(String[]::new);
		this.id = this.transactions
			.write(() -> Objects.requireNonNull(this.jdbc.queryForObject(REGISTER, Long.class, host(), names, UNSURE)));
		this.stopped = UNSURE;
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
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
	 * Looks for the lock first: if it has ended since, the table says where the bucket
	 * is.
	 */
	private void look() {
		Locked locked = this.transactions.statement(() -> Objects.requireNonNull(this.jdbc.queryForObject(LOCKED,
				(row, number) -> new Locked(row.getObject("bucket", Integer.class), row.getBoolean("registered")), LOCK,
				STATE_OF_APPS, this.id)));
		if (!locked.registered()) {
			logger.warn("A command took this replica for one that has ended");
			register();
		}
		Map<Integer, Server> byBucket = new HashMap<>();
		this.transactions
			.statement(() -> this.jdbc.query(SERVERS, (row, number) -> Map.entry(row.getInt(1), row.getString(2))))
			.forEach((bucket) -> byBucket.put(bucket.getKey(), this.servers.named(bucket.getValue())));
		if (this.stopped != null && !this.stopped.equals(locked.bucket())) {
			say(UNSURE);
		}
		become(new Whereabouts(byBucket, locked.bucket()));
		if (locked.bucket() != null) {
			this.lastMove = System.nanoTime();
		}
		if (!Objects.equals(this.stopped, locked.bucket()) && haveEnded(locked.bucket())) {
			say(locked.bucket());
		}
	}

	/**
	 * Says which bucket is stopped. That it is not any more, it says before calls begin
	 * again: a move that locks the bucket once more must not read the old word.
	 */
	private void say(@Nullable Integer bucket) {
		if (!Objects.equals(this.stopped, bucket)) {
			this.transactions.write(() -> this.jdbc.update(STOP, bucket, this.id));
			this.stopped = bucket;
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
			else if (places.begin(bucket) && places == this.current) {
				return new Call(places, bucket);
			}
			else {
				places.end(bucket);
			}
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
		Map<Integer, Server> byBucket = Objects.requireNonNullElse(this.ofCall.get(), this.current).byBucket();
		Server main = this.servers.main();
		return (key != null) ? byBucket.getOrDefault(ScopeKey.bucket(key), main) : main;
	}

	/** A replica that is killed leaves its row, and the command asks about it. */
	@Override
	public synchronized void destroy() {
		this.looking.shutdown();
		try {
			this.transactions.write(() -> this.jdbc.update(END, this.id));
		}
		catch (RuntimeException ex) {
			logger.warn("The row {} of the table replicas stays: {}", this.id, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * What the main server says.
	 *
	 * @param bucket the bucket whose lock is held, {@code null} for none
	 * @param registered whether it has the row of this replica
	 */
	private record Locked(@Nullable Integer bucket, boolean registered) {
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

		boolean begin(int bucket) {
			return this.calls.incrementAndGet(bucket) > 0;
		}

		void end(int bucket) {
			this.calls.decrementAndGet(bucket);
		}

		boolean hasCalls() {
			for (int bucket = 0; bucket <= SEVERAL; bucket++) {
				if (hasCalls(bucket)) {
					return true;
				}
			}
			return false;
		}

		boolean hasCalls(int bucket) {
			return this.calls.get(bucket) > 0;
		}

	}

}
