package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
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
import dev.agentsessions.session.Access;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Expiry;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.manage.CreateSession;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Order;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.vertex.event.ApiVersion;
import dev.agentsessions.vertex.event.ClientLibrary;
import dev.agentsessions.web.PageTokens;

/** Creates, reads, lists, changes and deletes sessions. */
@RestController
@RequestMapping({ ReasoningEngineResolver.PATH + "/sessions", ReasoningEngineResolver.EXPRESS_PATH + "/sessions" })
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
		OperationName name = new OperationName(OperationName.Action.CREATE, engine.id(), session.key().sessionId());
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
		SessionQuery query = SessionQuery.of(new StateOwner(engine.appName(), sessionFilter.userId()),
				order.field().equals(CREATE_TIME) ? Order.CREATE_TIME : Order.UPDATE_TIME, order.newestFirst(),
				Integer.MAX_VALUE, sessionFilter.filter(), true);
		Function<Session, JsonText> write = (session) -> new JsonText(
				this.json.writeValueAsString(SessionResource.of(engine, session, client)));
		ListWriter.write(response, this.memory, "sessions", pageSize,
				new SessionListSource(this.sessions, this.tokens, query, write).from(pageToken));
	}

	@GetMapping("/{sessionId}")
	SessionResource getSession(ReasoningEngine engine, @PathVariable String sessionId, HttpServletRequest request) {
		SessionKey key = this.sessions.locate(Access.READ, engine.appName(), sessionId);
		return SessionResource.of(engine, this.sessions.get(key, NEWEST), ClientLibrary.of(request));
	}

	@PatchMapping("/{sessionId}")
	SessionResource updateSession(ReasoningEngine engine, @PathVariable String sessionId,
			@RequestParam @Nullable String updateMask, @RequestBody JsonObject body, HttpServletRequest request) {
		ClientLibrary client = ClientLibrary.of(request);
		SessionUpdate update = SessionUpdate.of(SessionFields.of(body, client), updateMask);
		SessionKey key = this.sessions.locate(Access.WRITE, engine.appName(), sessionId);
		Session current = this.sessions.get(key, EventWindow.NONE);
		update.apply(this.sessions, this.events, current);
		return SessionResource.of(engine, this.sessions.get(key, current.birth(), NEWEST), client);
	}

	@DeleteMapping("/{sessionId}")
	Operation deleteSession(ReasoningEngine engine, @PathVariable String sessionId) {
		this.sessions.delete(this.sessions.locate(Access.WRITE, engine.appName(), sessionId), Precondition.NONE);
		OperationName name = new OperationName(OperationName.Action.DELETE, engine.id(), sessionId);
		return Operation.deleted(name.inLocation(engine), engine.version());
	}

}
