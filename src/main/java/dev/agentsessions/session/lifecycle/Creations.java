package dev.agentsessions.session.lifecycle;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.SessionReads;
import dev.agentsessions.session.lifecycle.CreationStore.CreationId;

/** Answers a repeated creation with the session that the first one has made. */
@Component
public class Creations {

	private final CreationStore store;

	private final SessionReads reads;

	public Creations(CreationStore store, SessionReads reads) {
		this.store = store;
		this.reads = reads;
	}

	/**
	 * Creates a session, unless this creation has made it before. Whatever refuses the
	 * second request may be due to the first one, or have come later.
	 * @param id identifies the creation; {@code null} if its request may not be repeated
	 * @param window the events of the session that are returned
	 */
	public CreatedSession once(SessionName name, @Nullable CreationId id, EventWindow window,
			Supplier<Session> creation) {
		try {
			return new CreatedSession(creation.get(), false);
		}
		catch (SessionException.Unavailable ex) {
			throw ex;
		}
		catch (SessionException ex) {
			return find(name, id, window).map((session) -> new CreatedSession(session, true)).orElseThrow(() -> ex);
		}
	}

	private Optional<Session> find(SessionName name, @Nullable CreationId id, EventWindow window) {
		return Optional.ofNullable(id)
			.flatMap((creation) -> this.store.find(name, creation))
			.flatMap((sessionKey) -> this.reads.find(name, sessionKey, window));
	}

}
