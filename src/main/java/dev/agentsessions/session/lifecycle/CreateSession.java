package dev.agentsessions.session.lifecycle;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.state.StateDelta;

/**
 * A request to create a session.
 *
 * @param name its name
 * @param state the initial state, in all scopes
 * @param events its first events, oldest first
 * @param details display name, labels and expiry
 * @param creation identifies repetitions of the request; {@code null} if there may be
 * none
 */
public record CreateSession(SessionName name, StateDelta state, List<NewEvent> events, SessionDetails details,
		@Nullable CreationId creation) {

	/**
	 * Creates a request without {@code temp:} keys and partial events, which are not
	 * stored.
	 * @throws SessionException.EventIdConflict if two of the events have the same id
	 */
	public CreateSession {
		state = state.stored().withoutRemovals();
		events = events.stream().filter((event) -> !event.partial()).toList();
		NewEvent.checkIdsDiffer(events);
	}

	/** Creates a request that may not be repeated. */
	public CreateSession(SessionName name, StateDelta state, List<NewEvent> events, SessionDetails details) {
		this(name, state, events, details, null);
	}

	/**
	 * Returns the name of a new session.
	 * @param sessionId the id that the caller wants; {@code null} or blank for a UUID
	 * @param idempotencyKey decides which UUID; {@code null} for a new one
	 */
	public static SessionName nameOf(String appName, String userId, @Nullable String sessionId,
			@Nullable IdempotencyKey idempotencyKey) {
		if (sessionId != null && !sessionId.isBlank()) {
			return new SessionName(appName, userId, sessionId);
		}
		return new SessionName(appName, userId,
				(idempotencyKey != null) ? idempotencyKey.sessionId(appName, userId) : UUID.randomUUID().toString());
	}

	/**
	 * Returns all that it sets in the state: the initial state, changed by the events.
	 */
	public StateDelta delta() {
		return this.events.stream().map(NewEvent::delta).reduce(this.state, StateDelta::then);
	}

	/**
	 * A text that a client sends with a request that creates a session or saves an
	 * artifact, and again with each retry of this request.
	 *
	 * @param text 1 to 255 characters of printable ASCII
	 */
	public record IdempotencyKey(String text) {

		private static final Pattern ALLOWED = Pattern.compile("[ -~]{1,255}");

		private static final long VERSION = 0xF000;

		/** A UUID of version 8 may have any other bits. */
		private static final long VERSION_8 = 0x8000;

		private static final long VARIANT = 0x8000_0000_0000_0000L;

		/**
		 * Creates a key.
		 * @throws SessionException.InvalidArgument if the text is not allowed
		 */
		public IdempotencyKey {
			InvalidArgument.check(ALLOWED.matcher(text).matches(), "Idempotency-Key",
					"must have 1 to 255 characters of printable ASCII");
		}

		/** Returns the key in a header, if there is one. */
		public static @Nullable IdempotencyKey of(@Nullable String header) {
			return (header != null) ? new IdempotencyKey(header) : null;
		}

		/**
		 * Returns the id of a session whose creation names none: a UUID, the same for the
		 * same user and key.
		 */
		String sessionId(String appName, String userId) {
			MessageDigest digest = Sha256.begin();
			Stream.of(appName, userId, this.text).map(Sha256::of).forEach(digest::update);
			ByteBuffer bits = ByteBuffer.wrap(digest.digest());
			return new UUID(bits.getLong() & ~VERSION | VERSION_8, bits.getLong() >>> 2 | VARIANT).toString();
		}

		/**
		 * Returns the id of the creation that a request with this key asks for.
		 * @param content all that the new session begins with, except its id
		 */
		public CreationId creation(JsonObject content) {
			return new CreationId(new UUID(number(Sha256.of(this.text)), number(content.toJson().digest())));
		}

		/** Returns an id of the request with this key. */
		public UUID id() {
			ByteBuffer digest = ByteBuffer.wrap(Sha256.of(this.text));
			return new UUID(digest.getLong(), digest.getLong());
		}

		private static long number(byte[] digest) {
			return ByteBuffer.wrap(digest, digest.length - Long.BYTES, Long.BYTES).getLong();
		}

	}

}
