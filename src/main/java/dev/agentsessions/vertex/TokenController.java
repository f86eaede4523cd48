package dev.agentsessions.vertex;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.Parameter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Stands in for Google's token service, so that clients which insist on application
 * default credentials send the text of a file as their token. It grants nothing: whoever
 * asks gets back what they have.
 */
@RestController
@ConditionalOnBooleanProperty("agent-sessions.vertex.token-endpoint")
class TokenController {

	private static final String TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

	private static final int ONE_HOUR = 3600;

	@PostMapping("/sts/token")
	Token exchangeToken(@Parameter(hidden = true) @RequestParam("subject_token") String subjectToken) {
		return new Token(subjectToken.strip(), TOKEN_TYPE, "Bearer", ONE_HOUR);
	}

	/**
	 * The answer. Source: RFC 8693.
	 *
	 * @param accessToken the token to send from now on
	 * @param issuedTokenType what it is
	 * @param tokenType how to send it
	 * @param expiresIn after how many seconds to ask again
	 */
	record Token(@JsonProperty("access_token") String accessToken,
			@JsonProperty("issued_token_type") String issuedTokenType, @JsonProperty("token_type") String tokenType,
			@JsonProperty("expires_in") int expiresIn) {
	}

}
