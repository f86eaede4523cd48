package dev.agentsessions.adk;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.web.direct.DirectRequest;

/**
 * The preconditions of a request as it has them. A controller method with a parameter of
 * this type gets them ({@link PreconditionsResolver}). They are parsed when they are
 * applied, so other faults of a request come first.
 *
 * @param ifMatch the header {@code If-Match}
 * @param lastUpdateTime the query parameter of this name
 * @param lease the header {@link LeaseHeader#NAME}
 */
public record Preconditions(@Nullable String ifMatch, @Nullable String lastUpdateTime, @Nullable String lease) {

	/** The query parameter with the time that the session has to have. */
	public static final String LAST_UPDATE_TIME = "lastUpdateTime";

	/** The headers that are read. */
	public static final Set<String> HEADERS = Set.of(HttpHeaders.IF_MATCH, LeaseHeader.NAME);

	/** Reads the preconditions of a request. */
	public static Preconditions of(HttpServletRequest request) {
		return new Preconditions(header(request, HttpHeaders.IF_MATCH),
				joined(request.getParameterValues(LAST_UPDATE_TIME)), header(request, LeaseHeader.NAME));
	}

	/** Reads the preconditions of a request in the plain form. */
	public static Preconditions of(DirectRequest request) {
		return new Preconditions(request.header(HttpHeaders.IF_MATCH), request.text(LAST_UPDATE_TIME),
				request.header(LeaseHeader.NAME));
	}

	private static @Nullable String header(HttpServletRequest request, String name) {
		List<String> values = Collections.list(request.getHeaders(name));
		return values.isEmpty() ? null : String.join(",", values);
	}

	private static @Nullable String joined(String @Nullable [] values) {
		return (values != null) ? String.join(",", values) : null;
	}

	/** Runs an action as {@link IfMatch#apply} does. */
	public <T> T apply(Function<Precondition, T> action) {
		return parse().apply(action);
	}

	/** Runs an action as {@link IfMatch#accept} does. */
	public void accept(Consumer<Precondition> action) {
		parse().accept(action);
	}

	private IfMatch parse() {
		return IfMatch.of(this.ifMatch, this.lastUpdateTime).under(this.lease);
	}

}
