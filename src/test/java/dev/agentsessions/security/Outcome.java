package dev.agentsessions.security;

import java.net.http.HttpResponse;
import java.util.function.Predicate;

/** How an attempt ends. */
enum Outcome {

	UNAUTHENTICATED((answer) -> answer.statusCode() == 401 && answer.body().contains("UNAUTHENTICATED")),

	FORBIDDEN((answer) -> answer.statusCode() == 403
			&& (answer.body().contains("FORBIDDEN") || answer.body().contains("PERMISSION_DENIED"))),

	HIDDEN((answer) -> answer.statusCode() == 404 && answer.body().contains("NOT_FOUND")),

	UNIMPLEMENTED((answer) -> answer.statusCode() == 501),

	THROUGH((answer) -> answer.statusCode() < 400);

	private final Predicate<HttpResponse<String>> predicate;

	Outcome(Predicate<HttpResponse<String>> predicate) {
		this.predicate = predicate;
	}

	boolean matches(HttpResponse<String> answer) {
		return this.predicate.test(answer);
	}

}
