package dev.agentsessions.postgres.servers;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import dev.agentsessions.postgres.servers.BucketRows.RowsCopy;
import dev.agentsessions.postgres.servers.MoveBuckets.BucketList;
import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;

/**
 * Moves a bucket in three steps, each of which is a transaction: copy its rows, name its
 * new server in {@code buckets}, delete its rows elsewhere. So the server that
 * {@code buckets} names always has all rows. Replicas stop the bucket for the first two
 * steps, and before the third one they no longer read from the old server. What a move
 * leaves behind that ended between two steps, the next move of the bucket deletes.
 */
final class BucketMover {

	private static final String SERVER = "select server from buckets where bucket = ?";

	private static final String BUCKETS = "select bucket from buckets where server = ?";

	private static final String APPS = "select distinct app_key from sessions";

	private static final String SET_SERVER = """
			insert into buckets (bucket, server) values (?, ?)
			on conflict (bucket) do update set server = excluded.server
			""";

	private static final String SET_MAIN = "delete from buckets where bucket = ?";

	private final MoveConnections servers;

	BucketMover(MoveConnections servers) {
		this.servers = servers;
	}

	/** Returns the server that has a bucket. */
	MoveConnection serverOf(int bucket) throws SQLException {
		List<String> names = this.servers.main().query(String.class, SERVER, bucket);
		return names.isEmpty() ? this.servers.main() : this.servers.named(names.get(0));
	}

	/**
	 * Copies the state of all apps from the main server to all others. One may be new,
	 * restored from a backup, or one that the settings did not name for a while: what it
	 * has already may be older, so it is replaced before a bucket takes it along. It has
	 * all rows whose keys are in its buckets, except those of apps; the main server may
	 * still have such a row that a user on the other one has removed.
	 */
	void copyStateOfApps() throws SQLException {
		for (MoveConnection server : this.servers.all()) {
			if (server != this.servers.main()) {
				copyStateOfApps(server);
			}
		}
	}

	private void copyStateOfApps(MoveConnection target) throws SQLException {
		MoveConnection main = this.servers.main();
		List<Integer> buckets = main.query(Integer.class, BUCKETS, target.name());
		Set<UUID> apps = new TreeSet<>(main.query(UUID.class, APPS));
		apps.addAll(target.query(UUID.class, APPS));
		this.servers.replicas().whileStateOfAppsStays(() -> target.inTransaction(() -> {
			long copied = 0;
			for (BucketRows rows : BucketRows.ofApps(buckets, apps)) {
				target.execute(rows.deletion());
				copied += RowsCopy.copyMissing(rows, main, target);
			}
			return copied;
		}));
	}

	/**
	 * Moves a bucket to a server. If it is there already, this deletes its rows
	 * elsewhere.
	 * @param source the server that has the bucket
	 * @return how many sessions and events were copied
	 */
	Moved move(int bucket, MoveConnection source, MoveConnection target) throws SQLException {
		Moved moved = Moved.NOTHING;
		if (source != target) {
			moved = this.servers.replicas()
				.whileStopped(bucket, target, () -> copy(bucket, source, target), () -> name(bucket, target));
		}
		this.servers.replicas().awaitLists();
		for (MoveConnection other : this.servers.all()) {
			if (other != target) {
				delete(bucket, other);
			}
		}
		return moved;
	}

	/**
	 * Refuses to delete the only sessions of users: the settings name another database
	 * than replicas had, so that a server has no session in all of its buckets, and
	 * another one has some. What an earlier move has left are copies.
	 */
	void refuseOtherDatabases() throws SQLException {
		Map<MoveConnection, List<Integer>> byServer = new HashMap<>();
		for (int bucket = 0; bucket <= BucketList.LAST; bucket++) {
			byServer.computeIfAbsent(serverOf(bucket), (server) -> new ArrayList<>()).add(bucket);
		}
		for (Map.Entry<MoveConnection, List<Integer>> server : byServer.entrySet()) {
			if (!BucketRows.hasSessions(server.getKey(), server.getValue())) {
				refuseSessionsElsewhere(server.getKey(), server.getValue());
			}
		}
	}

	private void refuseSessionsElsewhere(MoveConnection server, List<Integer> buckets) throws SQLException {
		for (MoveConnection other : this.servers.all()) {
			if (BucketRows.hasSessions(other, buckets)) {
				throw new MoveException(("Server %s has sessions of users of server %s, which has none. Correct the "
						+ "settings: each server must be the database that replicas used.")
					.formatted(other.name(), server.name()));
			}
		}
	}

	private Moved copy(int bucket, MoveConnection source, MoveConnection target) throws SQLException {
		return source.inSnapshot(() -> {
			BucketRows.find(source, bucket);
			return target.inTransaction(() -> {
				BucketRows.find(target, bucket);
				delete(BucketRows.toCopy(bucket), target);
				return copy(BucketRows.toCopy(bucket), source, target);
			});
		});
	}

	private static Moved copy(Collection<BucketRows> all, MoveConnection source, MoveConnection target)
			throws SQLException {
		Moved moved = Moved.NOTHING;
		for (BucketRows rows : all) {
			moved = moved.and(rows.table(), RowsCopy.copy(rows, source, target));
		}
		return moved;
	}

	/**
	 * Says in {@code buckets} which server has a bucket, unless a replica with one server
	 * has started meanwhile and may have written to the old one. A replica that starts
	 * now waits for the lock, and reads the new name.
	 */
	private long name(int bucket, MoveConnection target) throws SQLException {
		MoveConnection main = this.servers.replicas().locks();
		main.execute("lock table buckets in access exclusive mode");
		this.servers.refuseOthers();
		return (target == this.servers.main()) ? main.execute(SET_MAIN, bucket)
				: main.execute(SET_SERVER, bucket, target.name());
	}

	/**
	 * Deletes the rows of a bucket on a server that does not have it. All or nothing:
	 * without the row of its session, a row could not be found any more.
	 */
	private static void delete(int bucket, MoveConnection server) throws SQLException {
		server.inTransaction(() -> {
			BucketRows.find(server, bucket);
			return delete(BucketRows.toDelete(bucket), server);
		});
	}

	private static long delete(Collection<BucketRows> all, MoveConnection server) throws SQLException {
		long count = 0;
		for (BucketRows rows : all) {
			count += server.execute(rows.deletion());
		}
		return count;
	}

	/**
	 * What was moved.
	 *
	 * @param sessions the number of sessions
	 * @param events the number of events, also of unfinished imports and forks
	 */
	record Moved(long sessions, long events) {

		static final Moved NOTHING = new Moved(0, 0);

		/** Returns the sum. */
		Moved and(Moved other) {
			return new Moved(this.sessions + other.sessions, this.events + other.events);
		}

		/** Returns the sum with rows of a table, which may be another one. */
		Moved and(String table, long rows) {
			return switch (table) {
				case BucketRows.SESSIONS -> new Moved(this.sessions + rows, this.events);
				case BucketRows.EVENTS -> new Moved(this.sessions, this.events + rows);
				default -> this;
			};
		}

	}

}
