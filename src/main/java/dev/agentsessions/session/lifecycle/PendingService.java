package dev.agentsessions.session.lifecycle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventLinks.CallKey;
import dev.agentsessions.session.event.EventMarks;

/** Lists function calls that wait for the answer of a human. */
@Service
public class PendingService {

	private final Store store;

	private final AccessPolicy access;

	PendingService(Store store, AccessPolicy access) {
		this.store = store;
		this.access = access;
	}

	/**
	 * Lists the calls of a session, or of all sessions of an app.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public Page<PendingCall> list(PendingQuery query) {
		if (query.session() != null) {
			this.access.check(Access.READ, query.session());
		}
		else {
			this.access.check(Access.ADMINISTER, query.app());
		}
		return this.store.list(query)
			.orElseThrow(SessionException.NotFound::new)
			.map((call) -> call.seen(this.access.secrets()));
	}

	/** Lists function calls that wait for an answer. */
	public interface Store {

		/**
		 * Lists waiting calls.
		 * @return the calls, oldest first; empty if there is no such session
		 */
		Optional<Page<PendingCall>> list(PendingQuery query);

	}

	/**
	 * Which function calls that wait for an answer to list, oldest first.
	 *
	 * @param app the app
	 * @param session of this session only, {@code null} for all of the app
	 * @param after the position after which the page begins, {@code null} for the first
	 * page
	 * @param limit the maximum number of calls
	 */
	public record PendingQuery(StateOwner app, @Nullable SessionName session,
			@Page.Only @Nullable PendingPosition after, @Page.Only int limit) {

		/** Maximum number of calls of a page. */
		public static final int MAX_LIMIT = 1000;

		public PendingQuery {
			limit = Math.min(limit, MAX_LIMIT);
		}

		/** Returns this query for the page after a position. */
		public PendingQuery after(PendingPosition position) {
			return new PendingQuery(this.app, this.session, position, this.limit);
		}

		/**
		 * The position of a call in a list.
		 *
		 * @param since when its event was stored
		 * @param sessionKey the key of its session
		 * @param callKey its key
		 * @param seq the seq of its event
		 */
		public record PendingPosition(Instant since, UUID sessionKey, String callKey, long seq) {

			/** Returns the position of a call. */
			public static PendingPosition of(PendingCall call) {
				return new PendingPosition(call.since(), call.sessionKey(), call.callKey(), call.seq());
			}

			/** Returns the position that {@link #texts} describes. */
			public static PendingPosition of(List<String> texts) {
				return new PendingPosition(Instant.parse(texts.get(0)), UUID.fromString(texts.get(1)), texts.get(2),
						Long.parseLong(texts.get(3)));
			}

			public String[] texts() {
				return new String[] { this.since.toString(), this.sessionKey.toString(), this.callKey,
						Long.toString(this.seq) };
			}

		}

	}

	/**
	 * A function call that waits for an answer.
	 *
	 * @param session the name of its session
	 * @param sessionKey the key of its session
	 * @param eventId the id of its event
	 * @param seq the seq of this event
	 * @param since when the event was stored, by the server's clock
	 * @param callId its id, which the answer has, too
	 * @param name the name of the function; blank if it has none
	 * @param args its arguments, {@code null} if they are longer than
	 * {@link EventMarks.OpenCall#MAX_ARGS_CHARS}; then only the event has them
	 */
	public record PendingCall(SessionName session, UUID sessionKey, String eventId, long seq, Instant since,
			String callId, String name, @Nullable JsonText args) {

		/** Returns the key of the call, which is short. */
		public String callKey() {
			return CallKey.of(this.callId);
		}

		PendingCall seen(Secrets secrets) {
			return new PendingCall(this.session, this.sessionKey, this.eventId, this.seq, this.since, this.callId,
					secrets.of(this.name), secrets.ofNullable(this.args));
		}

	}

}
