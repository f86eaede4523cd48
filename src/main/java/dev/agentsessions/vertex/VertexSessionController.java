package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateDelta.RemovalMarker;
import dev.agentsessions.state.StateScope;
import dev.agentsessions.vertex.ListWriter.OrderBy;
import dev.agentsessions.vertex.Operation.OperationName;
import dev.agentsessions.vertex.VertexConfiguration.VertexProperties;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;
import dev.agentsessions.vertex.event.WireEvents.WireSessions;
import dev.agentsessions.web.DetailsFields;
import dev.agentsessions.web.PageTokens;

/** Creates, reads, lists, changes and deletes sessions. */
@RestController
@RequestMapping({ ReasoningEngine.PATH + "/sessions", ReasoningEngine.EXPRESS_PATH + "/sessions" })
class VertexSessionController {

	private static final String CREATE_TIME = "create_time";

	private static final String UPDATE_TIME = "update_time";

	private static final OrderBy NEWEST_FIRST = new OrderBy(UPDATE_TIME, true);

	/** The newest event, for its time. */
	private static final EventWindow NEWEST = new EventWindow(1, null);

	private final SessionService sessions;

	private final EventService events;

	private final VertexProperties properties;

	private final PageTokens tokens;

	private final JsonMapper json;

	private final ResponseHeap memory;

	VertexSessionController(SessionService sessions, EventService events, VertexProperties properties,
			PageTokens tokens, JsonMapper json, ResponseHeap memory) {
		this.sessions = sessions;
		this.events = events;
		this.properties = properties;
		this.tokens = tokens;
		this.json = json;
		this.memory = memory;
	}

	@PostMapping
	Operation createSession(ReasoningEngine engine, @RequestParam @Nullable String sessionId,
			@RequestBody @Nullable JsonObject body, HttpServletRequest request) {
		ClientLibrary client = ClientLibrary.of(request);
		CreateSession create = SessionFields.of(body, client)
			.toCreateSession(engine.appName(), sessionId, Expiry.after(this.properties.sessionTtl()));
		Session session = this.sessions.createLocatable(create);
		OperationName name = new OperationName(OperationName.Action.CREATE, engine.id(), session.name().sessionId());
		boolean inLocation = engine.version() == ApiVersion.V1 && !client.isGenAiSdk();
		return Operation.created(inLocation ? name.inLocation(engine) : name.inSession(engine), engine.version(),
				SessionResource.of(engine, session, client));
	}

	/** Lists sessions, the last updated first by default. */
	@GetMapping
	void listSessions(ReasoningEngine engine, @RequestParam @Nullable String filter,
			@RequestParam @Nullable String orderBy, @RequestParam @Nullable Integer pageSize,
			@RequestParam @Nullable String pageToken, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		ClientLibrary client = ClientLibrary.of(request);
		SessionFilter sessionFilter = SessionFilter.of(filter);
		OrderBy order = OrderBy.of(orderBy, NEWEST_FIRST, CREATE_TIME, UPDATE_TIME);
		SessionQuery first = SessionQuery.of(new StateOwner(engine.appName(), sessionFilter.userId()),
				order.field().equals(CREATE_TIME) ? Order.CREATE_TIME : Order.UPDATE_TIME, order.newestFirst(),
				Integer.MAX_VALUE, sessionFilter.filter(), true);
		Function<Session, JsonText> write = (session) -> new JsonText(
				this.json.writeValueAsString(SessionResource.of(engine, session, client)));
		SessionQuery query = StringUtils.hasLength(pageToken)
				? first.after(Position.of(this.tokens.position(pageToken, SessionListSource.LIST, List.of(first))))
				: first;
		ListWriter.write(response, this.memory, "sessions", pageSize,
				new SessionListSource(this.sessions, this.tokens, query, write));
	}

	@GetMapping("/{sessionId}")
	SessionResource getSession(ReasoningEngine engine, @PathVariable String sessionId, HttpServletRequest request) {
		SessionName name = this.sessions.locate(Access.READ, engine.appName(), sessionId);
		return SessionResource.of(engine, this.sessions.get(name, NEWEST), ClientLibrary.of(request));
	}

	@PatchMapping("/{sessionId}")
	SessionResource updateSession(ReasoningEngine engine, @PathVariable String sessionId,
			@RequestParam @Nullable String updateMask, @RequestBody JsonObject body, HttpServletRequest request) {
		ClientLibrary client = ClientLibrary.of(request);
		SessionUpdate update = SessionUpdate.of(SessionFields.of(body, client), updateMask);
		SessionName name = this.sessions.locate(Access.WRITE, engine.appName(), sessionId);
		Session current = this.sessions.get(name, EventWindow.NONE);
		update.apply(this.sessions, this.events, current);
		return SessionResource.of(engine, this.sessions.get(name, current.sessionKey(), NEWEST), client);
	}

	@DeleteMapping("/{sessionId}")
	Operation deleteSession(ReasoningEngine engine, @PathVariable String sessionId) {
		this.sessions.delete(this.sessions.locate(Access.WRITE, engine.appName(), sessionId), Precondition.NONE);
		OperationName name = new OperationName(OperationName.Action.DELETE, engine.id(), sessionId);
		return Operation.deleted(name.inLocation(engine), engine.version());
	}

	/**
	 * The sessions of a list.
	 *
	 * @param sessions the service that reads them
	 * @param tokens issues and reads page tokens
	 * @param query selects the sessions
	 * @param json converts a session to JSON
	 */
	record SessionListSource(SessionService sessions, PageTokens tokens, SessionQuery query,
			Function<Session, JsonText> json) implements ListWriter.Source<Session> {

		private static final String LIST = "vertex sessions";

		@Override
		public Page<Session> read(@Nullable Session after, int limit) {
			SessionQuery next = (after != null) ? this.query.after(this.query.position(after)) : this.query;
			return this.sessions.list(next.limit(limit));
		}

		@Override
		public JsonText json(Session session) {
			return this.json.apply(session);
		}

		@Override
		public String token(Session last) {
			return this.tokens.issue(LIST, List.of(this.query), this.query.position(last).texts());
		}

	}

	/**
	 * A change of a session: the fields that a mask names, or all fields of the request.
	 *
	 * @param fields the new values
	 * @param mask the names of the fields to change
	 */
	record SessionUpdate(SessionFields fields, Set<String> mask) {

		private static final Set<String> CHANGEABLE = DetailsFields.and(SessionFields.STATE, "userId");

		/** Two spellings of the expiry; a mask with one of them covers both. */
		private static final Set<String> EXPIRY = Set.of(DetailsFields.EXPIRE_TIME, DetailsFields.TTL);

		static SessionUpdate of(SessionFields fields, @Nullable String updateMask) {
			Set<String> mask = UpdateMask.of(updateMask, fields.fields(), CHANGEABLE);
			Set<String> named = new LinkedHashSet<>(mask);
			if (!Collections.disjoint(mask, EXPIRY)) {
				named.addAll(EXPIRY);
			}
			return new SessionUpdate(fields.only(named), mask);
		}

		/**
		 * Changes the session.
		 * @param current the session as just read
		 */
		void apply(SessionService sessions, EventService events, Session current) {
			this.fields.checkUser(current.name().userId());
			SessionDetails details = this.fields.details();
			Precondition unchanged = Precondition.of(current.version()).withoutDetails();
			if (this.mask.contains(SessionFields.STATE)) {
				NewEvent event = NewEvent.ofStateDelta(stateDelta(current));
				events.append(current.name(), new AppendRequest(event, unchanged, details));
			}
			else {
				sessions.updateDetails(current.name(), details, Precondition.ofSessionKey(current.sessionKey()));
			}
		}

		/**
		 * Returns the changes of the state. The new state replaces the keys of the
		 * session scope; keys of shared scopes are only set.
		 */
		private JsonObject stateDelta(Session current) {
			Map<String, JsonText> changes = new LinkedHashMap<>();
			current.state().keySet().forEach((key) -> {
				if (StateScope.of(key) == StateScope.SESSION) {
					changes.put(key, RemovalMarker.REMOVED);
				}
			});
			changes.putAll(this.fields.state().changes());
			return new JsonObject("", changes);
		}

	}

	/**
	 * The fields of a session in a request.
	 *
	 * @param fields the fields, in camelCase
	 * @param nullRemoves whether a null in the state removes its key; otherwise null is
	 * its value
	 */
	record SessionFields(JsonObject fields, boolean nullRemoves) {

		static final String STATE = "sessionState";

		private static final String USER_ID = "userId";

		private static final Pattern SESSION_ID = Pattern.compile("[A-Za-z0-9_-]{1,512}");

		/** Reads the fields from a body; no body has no fields. */
		static SessionFields of(@Nullable JsonObject body, ClientLibrary client) {
			JsonObject sent = Objects.requireNonNullElse(body, JsonObject.EMPTY);
			return new SessionFields(WireSessions.fields(sent), client.isAdkJava());
		}

		/**
		 * Returns the request to create the session.
		 * @param appName the app of the session
		 * @param sessionId the id requested by the client; {@code null} or empty for a
		 * generated id
		 * @param defaultExpiry the expiry if the request has none
		 */
		CreateSession toCreateSession(String appName, @Nullable String sessionId, Expiry defaultExpiry) {
			InvalidArgument.check(sessionId == null || sessionId.isEmpty() || SESSION_ID.matcher(sessionId).matches(),
					"sessionId", "must have 1 to 512 characters, all of them letters, digits, _ or -");
			SessionName name = CreateSession.nameOf(appName, userId(), sessionId, null);
			SessionDetails sent = details();
			return new CreateSession(name, state(), List.of(),
					(sent.expiry() != null) ? sent : sent.withExpiry(defaultExpiry));
		}

		/** Returns the session details (display name, labels, expiry). */
		SessionDetails details() {
			return DetailsFields.read(this.fields);
		}

		/** Returns the state, in all scopes. */
		StateDelta state() {
			StateDelta state = StateDeltas.of(this.fields.object(STATE));
			return this.nullRemoves ? state.withNullsAsRemovals() : state;
		}

		/** Returns only the fields with these names; null for each that was not sent. */
		SessionFields only(Set<String> names) {
			Map<String, JsonText> named = new LinkedHashMap<>();
			names.forEach((name) -> named.put(name, this.fields.members().getOrDefault(name, JsonText.NULL)));
			return new SessionFields(new JsonObject(this.fields.path(), named), this.nullRemoves);
		}

		/** Rejects a user id that is not the user of the session. */
		void checkUser(String userId) {
			String sent = this.fields.string(USER_ID);
			InvalidArgument.check(sent == null || sent.equals(userId), USER_ID, "cannot be changed");
		}

		private String userId() {
			String userId = this.fields.string(USER_ID);
			if (userId == null) {
				throw new InvalidArgument(USER_ID, "is required");
			}
			return userId;
		}

	}

}
