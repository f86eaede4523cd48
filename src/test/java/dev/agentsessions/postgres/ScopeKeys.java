package dev.agentsessions.postgres;

import java.util.Collection;
import java.util.UUID;
import java.util.stream.Stream;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;

/** The keys of rows, for tests of other packages that look into the database. */
public final class ScopeKeys {

	private ScopeKeys() {
	}

	/** Keys of sessions with these names, and of what they share. */
	public static UUID[] of(String appName, Collection<String> userIds, Collection<String> sessionIds) {
		Stream<UUID> sessions = userIds.stream()
			.flatMap((userId) -> sessionIds.stream().map((id) -> ScopeKey.of(new SessionKey(appName, userId, id))));
		Stream<UUID> owners = Stream
			.concat(userIds.stream().map((userId) -> new StateOwner(appName, userId)),
					Stream.of(new StateOwner(appName, null)))
			.map(ScopeKey::of);
		return Stream.concat(sessions, owners).toArray(UUID[]::new);
	}

}
