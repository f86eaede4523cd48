package dev.agentsessions.linearizability;

import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

import org.jspecify.annotations.Nullable;

/** A session id that clients share, and what they remember of its sessions. */
final class Slot {

	private static final int REMEMBERED = 6;

	private final String id;

	private final Kind kind;

	private final List<String> users;

	private final Deque<Tag> tags = new ConcurrentLinkedDeque<>();

	private final Deque<String> times = new ConcurrentLinkedDeque<>();

	private final Deque<List<Draft>> sent = new ConcurrentLinkedDeque<>();

	private final Deque<Long> leases = new ConcurrentLinkedDeque<>();

	private final Set<Long> granted = ConcurrentHashMap.newKeySet();

	/** What was exported of it last. */
	private volatile @Nullable Exported exported;

	/** When its newest session ends, as far as clients know. */
	private volatile long end;

	Slot(String id, Kind kind, List<String> users) {
		this.id = id;
		this.kind = kind;
		this.users = users;
	}

	String id() {
		return this.id;
	}

	Kind kind() {
		return this.kind;
	}

	/** Who may have a session of this id. */
	List<String> users() {
		return this.users;
	}

	/** Who asks for it in the dialect that names a user. */
	String user() {
		return this.users.get(0);
	}

	/** Old and new entity tags. */
	Deque<Tag> tags() {
		return this.tags;
	}

	/** Old and new last update times. */
	Deque<String> times() {
		return this.times;
	}

	/** What was sent, to send it again. */
	Deque<List<Draft>> sent() {
		return this.sent;
	}

	/** The numbers of old and new leases. */
	Deque<Long> leases() {
		return this.leases;
	}

	@Nullable Exported exported() {
		return this.exported;
	}

	void keep(Exported newest) {
		this.exported = newest;
	}

	long end() {
		return this.end;
	}

	void endAt(long nanos) {
		this.end = nanos;
	}

	void remember(@Nullable Tag tag, @Nullable String time) {
		if (tag != null) {
			remember(this.tags, tag);
		}
		if (time != null && !time.isEmpty()) {
			remember(this.times, time);
		}
	}

	void remember(List<Draft> drafts) {
		remember(this.sent, drafts);
	}

	/**
	 * Remembers the number of a lease.
	 * @return whether it was there before
	 */
	boolean remember(long lease) {
		remember(this.leases, lease);
		return !this.granted.add(lease);
	}

	private static <T> void remember(Deque<T> all, T newest) {
		all.addFirst(newest);
		if (all.size() > REMEMBERED) {
			all.pollLast();
		}
	}

	/** What sessions of an id are like. */
	enum Kind {

		/** They live until somebody deletes them. */
		LASTING,
		/** They end by themselves, soon. */
		ENDING,
		/** Two users want the same id in the dialect that names no user. */
		CONTESTED,
		/** Some have many events. */
		LONG,
		/** There is one, a fork of another session, which nobody creates again. */
		FORK

	}

}
