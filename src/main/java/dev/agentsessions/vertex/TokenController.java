package dev.agentsessions.vertex;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.Parameter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Replaces Google's token service, so that clients that require application default
 * credentials send the text of a file as their token. It grants nothing: it returns the
 * text that the client sent.
 */
@RestController
@ConditionalOnBooleanProperty("agent-sessions.vertex.token-endpoint")
class TokenController {

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
