package dev.agentsessions.console;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.session.EventViews;
import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.web.ApiDialect;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.RequestId;

/**
 * Describes the paths of the console to the filters. Its static files are public, because
 * the sign-in form uses them.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class ConsoleDialect implements ApiDialect {

	private static final Pattern APP = Pattern.compile(ConsoleAccess.PATH + "/apps/([^/]+)");

	@Override
	public TranslationCost translationCost() {
		return EventViews.COST;
	}

	@Override
	public boolean owns(String path) {
		return ConsoleAccess.owns(path);
	}

	@Override
	public Optional<String> appName(String path) {
		Matcher app = APP.matcher(path);
		return app.lookingAt() ? Optional.of(app.group(1)) : Optional.empty();
	}

	@Override
	public List<String> publicPaths() {
		return List.of(ConsoleAccess.FILES + "**");
	}

	@Override
	public ProblemDetail error(HttpStatusCode status, String detail, String requestId) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setProperty(RequestId.NAME, requestId);
		return problem;
	}

}
