package dev.agentsessions.vertex;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.heap.TranslationCost;
import dev.agentsessions.vertex.ReasoningEngineResolver.ReasoningEngines;
import dev.agentsessions.vertex.RpcError.RpcCode;
import dev.agentsessions.vertex.event.WireEvents;
import dev.agentsessions.web.ApiDialect;
import dev.agentsessions.web.BodyLimit;

/** The dialect of Vertex AI's session service. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class VertexDialect implements ApiDialect {

	private static final Pattern PATH = Pattern.compile("(?s)/v1(?:beta1)?/.*");

	private static final Pattern ENGINE = Pattern.compile("/reasoningEngines/([^/]+)");

	private final ReasoningEngines engines;

	private final BodyLimit bodyLimit;

	VertexDialect(ReasoningEngines engines, VertexProperties properties) {
		this.engines = engines;
		this.bodyLimit = new BodyLimit(properties.maxBodySize().toBytes(), "agent-sessions.vertex.max-body-size");
	}

	@Override
	public TranslationCost translationCost() {
		return WireEvents.COST;
	}

	@Override
	public boolean owns(String path) {
		return PATH.matcher(path).matches();
	}

	@Override
	public Optional<String> appName(String path) {
		Matcher engine = ENGINE.matcher(path);
		return engine.find() ? Optional.of(this.engines.appName(engine.group(1))) : Optional.empty();
	}

	/** The token endpoint, which is off by default, grants nothing. */
	@Override
	public List<String> publicPaths() {
		return List.of("/sts/token");
	}

	/** Bodies of events contain images, and each image twice. */
	@Override
	public BodyLimit bodyLimit(BodyLimit usual) {
		return this.bodyLimit;
	}

	@Override
	public MediaType errorType() {
		return MediaType.APPLICATION_JSON;
	}

	@Override
	public RpcError error(HttpStatusCode status, String detail, String requestId) {
		return RpcError.of(RpcCode.of(status), status, detail, requestId);
	}

}
