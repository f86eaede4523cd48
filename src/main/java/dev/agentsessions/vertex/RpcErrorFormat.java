package dev.agentsessions.vertex;

import java.util.regex.Pattern;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.http.ErrorFormat;

/** Says in this dialect what Tomcat refuses. */
@Component
class RpcErrorFormat implements ErrorFormat {

	private final JsonMapper json;

	RpcErrorFormat(JsonMapper json) {
		this.json = json;
	}

	@Override
	public Pattern paths() {
		return VertexConfiguration.PATHS;
	}

	@Override
	public MediaType type() {
		return MediaType.APPLICATION_JSON;
	}

	@Override
	public String body(HttpStatusCode status, String detail) {
		return this.json.writeValueAsString(RpcError.of(RpcCode.of(status), status, detail));
	}

}
