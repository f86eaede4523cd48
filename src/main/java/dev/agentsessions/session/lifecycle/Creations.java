package dev.agentsessions.session.lifecycle;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;

/** Answers a repeated creation with the session that the first one has made. */
@Component
public class Creations {

	private final Store store;

	private final SessionReads reads;

	public Creations(Store store, SessionReads reads) {
		this.store = store;
		this.reads = reads;
	}

	/**
	 * Creates a session, unless this creation has made it before.
	 * @param id identifies the creation; {@code null} if its request may not be repeated
	 * @param window the events of the session that are returned
	 */
	public CreatedSession once(SessionName name, @Nullable CreationId id, EventWindow window,
			Supplier<Session> creation) {
		return orEarlier(() -> new CreatedSession(creation.get(), false),
				() -> find(name, id, window).map((session) -> new CreatedSession(session, true)));
	}

	/**
	 * Writes, or finds what an earlier request has written. Whatever refuses the second
	 * request may be due to the first one, or have come later.
	 */
	static <T> T orEarlier(Supplier<T> write, Supplier<Optional<T>> earlier) {
		try {
			return write.get();
		}
		catch (SessionException.Unavailable ex) {
			throw ex;
		}
		catch (SessionException ex) {
			return earlier.get().orElseThrow(() -> ex);
		}
	}

	private Optional<Session> find(SessionName name, @Nullable CreationId id, EventWindow window) {
		return Optional.ofNullable(id)
			.flatMap((creation) -> this.store.find(name, creation))
			.flatMap((sessionKey) -> this.reads.find(name, sessionKey, window));
	}

	/** Recognises repeated creations. */
	public interface Store {

		/**
		 * Finds the session that a creation has made. The creation is stored as safely as
		 * a write when the method returns.
		 * @return the key of the session; empty if there is no session with this name, or
		 * it comes from another creation
		 * @throws SessionException.AlreadyExists if it comes from a request with the same
		 * key and other content
		 */
		Optional<UUID> find(SessionName name, CreationId creation);

		/**
		 * Identifies a creation that may be requested several times.
		 *
		 * @param value a digest of the {@link IdempotencyKey} in the first half, and of
		 * the content of the request in the second half
		 */
		record CreationId(UUID value) {

			/**
			 * Returns whether a session comes from this creation.
			 * @param stored the id of the creation of the session
			 * @throws SessionException.AlreadyExists if the session comes from a request
			 * with the same key and other content
			 */
			public boolean isOf(CreationId stored, String sessionId) {
				if (!stored.equals(this)
						&& stored.value.getMostSignificantBits() == this.value.getMostSignificantBits()) {
					throw SessionException.AlreadyExists.withOtherContent(sessionId);
				}
				return stored.equals(this);
			}

		}

	}

	/**
	 * The result of a creation.
	 *
	 * @param session the session
	 * @param replayed whether an earlier request has created it; then it is the session
	 * as it is now
	 */
	public record CreatedSession(Session session, boolean replayed) {

	}

}
