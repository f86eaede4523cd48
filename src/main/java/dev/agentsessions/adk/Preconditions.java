package dev.agentsessions.adk;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.http.ETag;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.DirectRequest;

/**
 * The preconditions of a request as it has them. A controller method with a parameter of
 * this type gets them ({@link Resolver}). They are parsed when they are applied, so other
 * faults of a request come first.
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
		InvalidArgument.check(LEASE_NUMBER.matcher(number).matches(), ApiHeaders.LEASE,
				"must be the number of a lease, as the answer to :acquire has it");
		return Long.parseLong(number);
	}

	/** Runs an action under the lease, as {@link IfMatch#apply} does. */
	public <T> T apply(Function<Precondition, T> action) {
		IfMatch version = IfMatch.of(this.ifMatch, this.lastUpdateTime);
		Long number = (this.lease != null) ? leaseNumber(this.lease) : null;
		return version.apply((precondition) -> action.apply(precondition.under(number)));
	}

	/**
	 * Resolves controller parameters of type {@link Preconditions}, and documents what
	 * they are made of.
	 */
	static class Resolver implements HandlerMethodArgumentResolver, OperationCustomizer {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == Preconditions.class;
		}

		@Override
		public Preconditions resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
			return Preconditions.of(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
		}

		/** Adds the parameters after the parameters of the path. */
		@Override
		public Operation customize(Operation operation, HandlerMethod method) {
			if (Arrays.stream(method.getMethodParameters()).anyMatch(this::supportsParameter)) {
				List<Parameter> parameters = new ArrayList<>(
						Objects.requireNonNullElse(operation.getParameters(), List.of()));
				long inPath = parameters.stream().filter((parameter) -> parameter.getIn().equals("path")).count();
				parameters.addAll((int) inPath, documented());
				operation.setParameters(parameters);
			}
			return operation;
		}

		private static List<Parameter> documented() {
			Stream<Parameter> headers = Preconditions.HEADERS.stream()
				.map((name) -> new HeaderParameter().name(name).required(false));
			Parameter lastUpdateTime = new QueryParameter().name(Preconditions.LAST_UPDATE_TIME)
				.required(false)
				.schema(new StringSchema());
			return Stream.concat(headers, Stream.of(lastUpdateTime)).toList();
		}

	}

	/**
	 * The preconditions of a request, from the header {@code If-Match} and the parameter
	 * {@code lastUpdateTime}. As in RFC 9110, one of several tags has to match, {@code *}
	 * matches any version, and a weak tag matches nothing.
	 *
	 * @param alternatives the preconditions, one of which has to hold
	 */
	public record IfMatch(List<Precondition> alternatives) {

		/** Each distinct tag can cost as much as a request with that tag alone. */
		private static final int MAX_TAGS = 16;

		private static final String TAG = "(?:W/)?\"[^\"\\x00-\\x20\\x7F]++\"";

		/** Tags separated by commas. RFC 9110 also allows empty list elements. */
		private static final Pattern TAGS = Pattern
			.compile("[ \\t,]*+" + TAG + "(?:[ \\t]*+,[ \\t,]*+" + TAG + ")*+[ \\t,]*+");

		private static final Pattern WITHOUT_QUOTES = Pattern.compile("\\d{1,18}");

		/**
		 * Parses the header and the parameter.
		 * @throws SessionException.InvalidArgument if one of them has an invalid format
		 */
		public static IfMatch of(@Nullable String header, @Nullable String lastUpdateTime) {
			List<Precondition> tags = (header != null) ? tags(header.strip()) : List.of(Precondition.NONE);
			return new IfMatch((lastUpdateTime != null)
					? tags.stream().map((tag) -> tag.after(Timestamps.parse("lastUpdateTime", lastUpdateTime))).toList()
					: tags);
		}

		private static List<Precondition> tags(String header) {
			if (WITHOUT_QUOTES.matcher(header).matches()) {
				return List.of(EntityTag.precondition(header));
			}
			InvalidArgument.check(header.equals("*") || TAGS.matcher(header).matches(), HttpHeaders.IF_MATCH,
					"must be a tag in quotes, as the header ETag has it, several of them, or *");
			List<Precondition> tags = ETag.parse(header).stream().map(IfMatch::precondition).distinct().toList();
			InvalidArgument.check(tags.size() <= MAX_TAGS, HttpHeaders.IF_MATCH,
					"must not have more than " + MAX_TAGS + " tags");
			return tags;
		}

		private static Precondition precondition(ETag tag) {
			if (tag.isWildcard()) {
				return Precondition.NONE;
			}
			return tag.weak() ? Precondition.NEVER : EntityTag.precondition(tag.tag());
		}

		/**
		 * Runs an action with the first alternative that holds, and returns its result.
		 * @param action throws {@link SessionException.Stale} if the precondition does
		 * not hold
		 * @throws SessionException.Stale if no alternative holds
		 */
		public <T> T apply(Function<Precondition, T> action) {
			int last = this.alternatives.size() - 1;
			for (Precondition alternative : this.alternatives.subList(0, last)) {
				try {
					return action.apply(alternative);
				}
				catch (SessionException.Stale ex) {
					// Try the next alternative.
					continue;
				}
			}
			return action.apply(this.alternatives.get(last));
		}

	}

	/**
	 * Converts the version of a session to the HTTP header {@code ETag} and back. The
	 * format is {@code "<revision>.<key>.<microseconds>"}, where the microseconds are
	 * those from 1970 to the last update time, with {@code .<n>} at the end once the
	 * session details were changed. A revision alone is also accepted.
	 */
	public static final class EntityTag {

		private static final Pattern TAG = Pattern
			.compile("(0|[1-9]\\d{0,17})(?:\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
					+ "\\.(-?\\d{1,18})(?:\\.(\\d{1,9}))?)?");

		private EntityTag() {
		}

		/**
		 * Adds the header to a response. Does not use Spring's support, which would
		 * compare the tag with {@code If-None-Match}: an unchanged version does not mean
		 * an unchanged response, because the response includes the state shared with
		 * other sessions.
		 */
		public static void set(HttpServletResponse response, SessionVersion version) {
			response.setHeader(HttpHeaders.ETAG, of(version));
		}

		/** Returns the entity tag of a version, in quotes. */
		public static String of(SessionVersion version) {
			String details = (version.detailsRevision() > 0) ? "." + version.detailsRevision() : "";
			return "\"" + version.revision() + "." + version.sessionKey() + "."
					+ Timestamps.toEpochMicros(version.lastUpdateTime()) + details + "\"";
		}

		/**
		 * Returns the key of the session that a tag names. A weak tag names it, too: a
		 * proxy that compresses responses makes the tags weak.
		 * @param name the name of the parameter that has the tag, with or without quotes
		 * @throws SessionException.InvalidArgument if it is not a tag of a session
		 */
		public static UUID sessionKey(String name, String tag) {
			Matcher parts = TAG.matcher(tag.replaceFirst("^W/", "").replace("\"", ""));
			if (!parts.matches() || parts.group(2) == null) {
				throw new InvalidArgument(name, "must be the ETag of a session");
			}
			return UUID.fromString(parts.group(2));
		}

		/**
		 * Returns the precondition that a tag stands for.
		 * @param tag the tag without its quotes
		 * @return the precondition; {@link Precondition#NEVER} if the service does not
		 * issue such tags
		 */
		static Precondition precondition(String tag) {
			Matcher parts = TAG.matcher(tag);
			if (!parts.matches()) {
				return Precondition.NEVER;
			}
			long revision = Long.parseLong(parts.group(1));
			if (parts.group(2) == null) {
				return new Precondition(revision, null);
			}
			Instant time = Timestamps.ofEpochMicros(Long.parseLong(parts.group(3)));
			return Timestamps.isValid(time) ? Precondition.of(new SessionVersion(revision,
					UUID.fromString(parts.group(2)), time, detailsRevision(parts.group(4)))) : Precondition.NEVER;
		}

		private static int detailsRevision(@Nullable String number) {
			return (number != null) ? Integer.parseInt(number) : 0;
		}

	}

}
