package dev.agentsessions.adk;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DirectRequest;

/**
 * The preconditions of a request as it has them. A controller method with a parameter of
 * this type gets them ({@link PreconditionsResolver}). They are parsed when they are
 * applied, so other faults of a request come first.
 *
 * @param ifMatch the header {@code If-Match}
 * @param lastUpdateTime the query parameter of this name
 * @param lease the header {@link ApiHeaders#LEASE}
 */
public record Preconditions(@Nullable String ifMatch, @Nullable String lastUpdateTime, @Nullable String lease) {

	/** The query parameter with the time that the session has to have. */
	public static final String LAST_UPDATE_TIME = "lastUpdateTime";

	/** The headers that are read, in the order of the documents. */
	public static final List<String> HEADERS = List.of(HttpHeaders.IF_MATCH, ApiHeaders.LEASE);

	private static final Pattern LEASE_NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

	/** Reads the preconditions of a request. */
	public static Preconditions of(HttpServletRequest request) {
		return new Preconditions(header(request, HttpHeaders.IF_MATCH),
				joined(request.getParameterValues(LAST_UPDATE_TIME)), header(request, ApiHeaders.LEASE));
	}

	/** Reads the preconditions of a request in the plain form. */
	public static Preconditions of(DirectRequest request) {
		return new Preconditions(request.header(HttpHeaders.IF_MATCH), request.text(LAST_UPDATE_TIME),
				request.header(ApiHeaders.LEASE));
	}

	private static @Nullable String header(HttpServletRequest request, String name) {
		List<String> values = Collections.list(request.getHeaders(name));
		return values.isEmpty() ? null : String.join(",", values);
	}

	private static @Nullable String joined(String @Nullable [] values) {
		return (values != null) ? String.join(",", values) : null;
	}

	/**
	 * Parses the header with the number of a lease.
	 * @throws SessionException.InvalidArgument if the header is not a number
	 */
	public static long leaseNumber(String header) {
		String number = header.strip();
		if (!LEASE_NUMBER.matcher(number).matches()) {
			throw new SessionException.InvalidArgument(ApiHeaders.LEASE,
					"must be the number of a lease, as the answer to :acquire has it");
		}
		return Long.parseLong(number);
	}

	/** Runs an action under the lease, as {@link IfMatch#apply} does. */
	public <T> T apply(Function<Precondition, T> action) {
		IfMatch version = IfMatch.of(this.ifMatch, this.lastUpdateTime);
		Long number = (this.lease != null) ? leaseNumber(this.lease) : null;
		return version.apply((precondition) -> action.apply(precondition.under(number)));
	}

	/** Runs an action under the lease, as {@link IfMatch#apply} does. */
	public void accept(Consumer<Precondition> action) {
		apply((precondition) -> {
			action.accept(precondition);
			return true;
		});
	}

}
