package dev.agentsessions.http;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * Says as a problem detail what Tomcat refuses, wherever no dialect has another format.
 */
final class ProblemFormat implements ErrorFormat {

	private static final Pattern ANY = Pattern.compile(".*");

	@Override
	public Pattern paths() {
		return ANY;
	}

	@Override
	public MediaType type() {
		return MediaType.APPLICATION_PROBLEM_JSON;
	}

	@Override
	public String body(HttpStatusCode status, String detail) {
		HttpStatus known = HttpStatus.resolve(status.value());
		String title = (known != null) ? known.getReasonPhrase() : "Error";
		return "{\"title\":\"%1$s\",\"status\":%2$d,\"code\":\"%3$s\",\"detail\":\"%4$s\",\"error\":\"%4$s\"}"
			.formatted(title, status.value(), code(known), detail);
	}

	private static String code(@Nullable HttpStatus status) {
		if (status == null || status == HttpStatus.BAD_REQUEST) {
			return "INVALID_ARGUMENT";
		}
		return (status == HttpStatus.INTERNAL_SERVER_ERROR) ? "INTERNAL" : status.name();
	}

}
