package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.manage.SessionQuery;
import dev.agentsessions.session.manage.SessionQuery.Order;
import dev.agentsessions.session.manage.SessionService;
import dev.agentsessions.vertex.event.ClientLibrary;
import dev.agentsessions.session.memory.ResponseMemory;
import dev.agentsessions.web.PageTokens;

/** Lists sessions, the last updated first by default. */
@RestController
class VertexSessionListController {

	private static final String CREATE_TIME = "create_time";

	private static final String UPDATE_TIME = "update_time";

	private static final OrderBy NEWEST_FIRST = new OrderBy(UPDATE_TIME, true);

	private final SessionService sessions;

	private final PageTokens tokens;

	private final JsonMapper json;

	private final ResponseMemory memory;

	VertexSessionListController(SessionService sessions, PageTokens tokens, JsonMapper json, ResponseMemory memory) {
		this.memory = memory;
		this.sessions = sessions;
		this.tokens = tokens;
		this.json = json;
	}

	@GetMapping({ ReasoningEngineResolver.PATH + "/sessions", ReasoningEngineResolver.EXPRESS_PATH + "/sessions" })
	void listSessions(ReasoningEngine engine, @RequestParam(required = false) @Nullable String filter,
			@RequestParam(required = false) @Nullable String orderBy,
			@RequestParam(required = false) @Nullable Integer pageSize,
			@RequestParam(required = false) @Nullable String pageToken, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		ClientLibrary client = ClientLibrary.of(request);
		SessionFilter sessionFilter = SessionFilter.of(filter);
		OrderBy order = OrderBy.of(orderBy, NEWEST_FIRST, CREATE_TIME, UPDATE_TIME);
		SessionQuery query = SessionQuery.of(engine.appName(), sessionFilter.userId(),
				order.field().equals(CREATE_TIME) ? Order.CREATE_TIME : Order.UPDATE_TIME, order.newestFirst(),
				Integer.MAX_VALUE, sessionFilter.filter(), true);
		Function<Session, JsonText> write = (session) -> new JsonText(
				this.json.writeValueAsString(SessionResource.of(engine, session, client)));
		ListWriter.write(response, this.memory, "sessions", pageSize,
				new SessionListSource(this.sessions, this.tokens, query, write).from(pageToken));
	}

}
