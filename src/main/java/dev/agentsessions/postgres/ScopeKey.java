package dev.agentsessions.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.StateOwner;

/**
 * Computes the keys that identify names in the tables. A key is 16 bytes: the first half
 * of the SHA-256 of the names in UTF-8, each after its length in bytes.
 */
public final class ScopeKey {

	/** The first of all keys. No session, user or app has it. */
	public static final UUID FIRST = new UUID(0, 0);

	/**
	 * The order in which PostgreSQL sorts keys, by their bytes. All writers lock the rows
	 * of sessions in this order. Java would compare signed numbers.
	 */
	public static final Comparator<UUID> ORDER = Comparator
		.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
		.thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

	/** The order of names and of keys of state, by their bytes in UTF-8. */
	public static final Comparator<String> ORDER_OF_NAMES = Comparator
		.comparing((String name) -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

	private ScopeKey() {
	}

	public static UUID of(SessionName name) {
		return digest(name.appName(), name.userId(), name.sessionId());
	}

	public static UUID of(StateOwner owner) {
		String userId = owner.userId();
		return (userId != null) ? digest(owner.appName(), userId) : ofApp(owner.appName());
	}

	/** Returns the key of a scope of facts that is given by names and their texts. */
	public static UUID of(String appName, SortedMap<String, String> names) {
		List<String> all = new ArrayList<>(List.of(appName));
		names.forEach((name, text) -> all.addAll(List.of(name, text)));
		return digest(all.toArray(String[]::new));
	}

	/** Returns the key of a scope of facts: that of the user, if it is a user's. */
	public static UUID of(MemoryScope scope) {
		return scope.user().map(ScopeKey::of).orElseGet(() -> of(scope.appName(), new TreeMap<>(scope.names())));
	}

	/** Returns a key for a lock on the id of a fact in an app. */
	public static UUID ofFact(String appName, String id) {
		return of(appName, new TreeMap<>(Map.of("memory", id)));
	}

	/** Returns the key of a user; without a user, {@link #FIRST}. */
	public static UUID ofUserOrFirst(String appName, @Nullable String userId) {
		return (userId != null) ? of(new StateOwner(appName, userId)) : FIRST;
	}

	/** Returns the order of the users of an app, by their keys. */
	public static Comparator<String> orderOfUsers(String appName) {
		return Comparator.comparing((userId) -> of(new StateOwner(appName, userId)), ORDER);
	}

	public static UUID ofApp(String appName) {
		return digest(appName);
	}

	/**
	 * Returns a number that identifies the id of a session in its app, without the user:
	 * for a lock.
	 */
	public static long numberOfId(SessionName name) {
		return digest(name.appName(), name.sessionId()).getMostSignificantBits();
	}

	/**
	 * Returns the bucket of the user or the scope with a key, 0 to 255: its first byte.
	 */
	public static int bucket(UUID key) {
		return (int) (key.getMostSignificantBits() >>> (Long.SIZE - Byte.SIZE));
	}

	private static UUID digest(String... names) {
		MessageDigest sha256 = Sha256.begin();
		for (String name : names) {
			byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
			sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
			sha256.update(bytes);
		}
		ByteBuffer digest = ByteBuffer.wrap(sha256.digest());
		return new UUID(digest.getLong(), digest.getLong());
	}

}
