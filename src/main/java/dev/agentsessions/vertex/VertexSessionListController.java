package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionQuery;
import dev.agentsessions.session.SessionService;
import dev.agentsessions.state.JsonText;

/** Lists sessions, newest first unless asked otherwise. */
@RestController
class VertexSessionListController {

	private final SessionService sessions;

	private final JsonMapper json;

	VertexSessionListController(SessionService sessions, JsonMapper json) {
		this.sessions = sessions;
		this.json = json;
	}

	@GetMapping({ EngineResolver.PATH + "/sessions", EngineResolver.EXPRESS_PATH + "/sessions" })
	void listSessions(Engine engine, @RequestParam(required = false) @Nullable String filter,
			@RequestParam(required = false) @Nullable String orderBy,
			@RequestParam(required = false) @Nullable Integer pageSize,
			@RequestParam(required = false) @Nullable String pageToken, HttpServletResponse response)
			throws IOException {
		SessionFilter wanted = SessionFilter.of(filter);
		SessionQuery query = new SessionQuery(engine.appName(), wanted.userId(),
				OrderBy.isNewestFirst(orderBy, "updateTime", true), null, Integer.MAX_VALUE, wanted.filter(), true);
		Function<Session, JsonText> write = (session) -> new JsonText(
				this.json.writeValueAsString(SessionResource.of(engine, session)));
		ListWriter.write(response, "sessions", PageSize.of(pageSize),
				new SessionSource(this.sessions, query, write).from(pageToken));
	}

}
