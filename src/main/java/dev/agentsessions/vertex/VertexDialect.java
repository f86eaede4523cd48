package dev.agentsessions.vertex;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Parameter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.vertex.ReasoningEngine.ReasoningEngines;
import dev.agentsessions.vertex.VertexConfiguration.VertexProperties;
import dev.agentsessions.vertex.VertexExceptionHandler.RpcError;
import dev.agentsessions.vertex.VertexExceptionHandler.RpcError.RpcCode;
import dev.agentsessions.vertex.event.WireEvents;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;
import dev.agentsessions.web.ApiDialect;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.ErrorResponder;

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

	/** Responds with 404 to the paths of this dialect without a route. */
	@Hidden
	@RestController
	static class UnknownPathController {

		@RequestMapping({ ApiVersion.PATTERN + "/projects/**", ApiVersion.PATTERN + "/reasoningEngines/**" })
		void refuse() {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, ErrorResponder.UNKNOWN_PATH);
		}

	}

	/**
	 * Collapses consecutive slashes in the paths of this dialect, because ADK Java sends
	 * two if its base URL ends with a slash, and before a context path, which Spring MVC
	 * would not find. It runs before all filters that decide by the path.
	 */
	@Component
	@Order(Ordered.HIGHEST_PRECEDENCE + 50)
	static class DuplicateSlashFilter extends OncePerRequestFilter {

		private static final Pattern SLASHES = Pattern.compile("/{2,}");

		private final VertexDialect dialect;

		DuplicateSlashFilter(VertexDialect dialect) {
			this.dialect = dialect;
		}

		@Override
		protected boolean shouldNotFilter(HttpServletRequest request) {
			String path = request.getRequestURI();
			String context = collapsed(request.getContextPath());
			return !path.contains("//") || !(path.startsWith("//") && !context.isEmpty()
					|| this.dialect.owns(collapsed(path).substring(context.length())));
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			chain.doFilter(new Collapsed(request), response);
		}

		private static String collapsed(String path) {
			return SLASHES.matcher(path).replaceAll("/");
		}

		private static final class Collapsed extends HttpServletRequestWrapper {

			Collapsed(HttpServletRequest request) {
				super(request);
			}

			@Override
			public String getRequestURI() {
				return collapsed(super.getRequestURI());
			}

			@Override
			public String getContextPath() {
				return collapsed(super.getContextPath());
			}

		}

	}

	/**
	 * Replaces Google's token service, so that clients that require application default
	 * credentials send the text of a file as their token. It grants nothing: it returns
	 * the text that the client sent.
	 */
	@RestController
	@ConditionalOnBooleanProperty("agent-sessions.vertex.token-endpoint")
	static class TokenController {

		private static final String TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

		private static final int LIFETIME_SECONDS = 3600;

		@PostMapping("/sts/token")
		Token exchangeToken(@Parameter(hidden = true) @RequestParam("subject_token") String subjectToken) {
			return new Token(subjectToken.strip(), TOKEN_TYPE, "Bearer", LIFETIME_SECONDS);
		}

		/**
		 * The response. Source: RFC 8693.
		 *
		 * @param accessToken the token for later requests
		 * @param issuedTokenType the type of the token
		 * @param tokenType the scheme of the Authorization header
		 * @param expiresIn the lifetime in seconds
		 */
		record Token(@JsonProperty("access_token") String accessToken,
				@JsonProperty("issued_token_type") String issuedTokenType, @JsonProperty("token_type") String tokenType,
				@JsonProperty("expires_in") int expiresIn) {
		}

	}

}
