package dev.agentsessions.web;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.NumberUtils;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.web.DirectRoute.PlainValue;

/**
 * A request in the plain form.
 *
 * @param servletRequest the request itself
 * @param path its path
 * @param parameters the query parameters that the request has
 * @param content the body; {@code null} for a route without a JSON object
 */
public record DirectRequest(HttpServletRequest servletRequest, PlainPath path, Map<String, String> parameters,
		@Nullable JsonObject content) {

	/**
	 * Returns the session that the path names.
	 * @throws SessionException.InvalidArgument if one of the names is not allowed
	 */
	public SessionName name() {
		return new SessionName(this.path.appName(), this.path.userId(), this.path.sessionId());
	}

	public @Nullable String header(String name) {
		return this.servletRequest.getHeader(name);
	}

	public @Nullable String text(String parameter) {
		return this.parameters.get(parameter);
	}

	/** Returns the body. Only a route with {@code POST} has one. */
	public JsonObject body() {
		return Objects.requireNonNull(this.content);
	}

	/**
	 * The query parameters of a route: a record of texts, flags and numbers, which Spring
	 * MVC fills for the same controller.
	 *
	 * @param <T> the record
	 */
	public static final class PlainParameters<T extends Record> {

		private final Constructor<T> constructor;

		private final List<RecordComponent> components;

		public PlainParameters(Class<T> type) {
			this.constructor = BeanUtils.getResolvableConstructor(type);
			this.components = List.of(type.getRecordComponents());
		}

		/** Returns the types of the parameters by name. */
		public Map<String, PlainValue> types() {
			return this.components.stream()
				.collect(Collectors.toUnmodifiableMap(RecordComponent::getName,
						(each) -> PlainValue.of(each.getType())));
		}

		/** Returns the parameters of a request; those that it does not have are null. */
		public T of(DirectRequest request) {
			return BeanUtils.instantiateClass(this.constructor,
					this.components.stream()
						.map((each) -> value(request.text(each.getName()), each.getType()))
						.toArray());
		}

		private static @Nullable Object value(@Nullable String text, Class<?> type) {
			if (text == null || type == String.class) {
				return text;
			}
			return (type == Boolean.class) ? Boolean.valueOf(text)
					: NumberUtils.parseNumber(text, type.asSubclass(Number.class));
		}

	}

	/**
	 * The names in the plain path of a session.
	 *
	 * @param appName the app
	 * @param userId the user
	 * @param sessionId the session
	 * @param subpath the rest of the path after the session, as in the pattern of the
	 * route
	 * @param artifact the artifact; {@code null} if the path has none
	 */
	record PlainPath(String appName, String userId, String sessionId, String subpath, @Nullable String artifact) {

		private static final String ARTIFACTS = "/artifacts/";

		private static final String ARTIFACT_PATH = ARTIFACTS + "{artifact}";

		/**
		 * A name that stands in the path as it is and is one step of it. A colon
		 * separates an action from a name.
		 */
		private static final String NAME = "([A-Za-z0-9_~-][A-Za-z0-9_~.@-]*)";

		/**
		 * For a path that ends with an extension, Spring MVC adds a header to the answer,
		 * except for a few.
		 */
		private static final String LAST_NAME = "([A-Za-z0-9_~-]+)";

		private static final String ARTIFACT = "((?:user:)?[A-Za-z0-9_~-]+(?:\\.(?:txt|csv|json|xml|png|jpg|jpeg|gif))?)";

		private static final Pattern PATH = Pattern.compile("/apps/" + NAME + "/users/" + NAME + "/sessions/" + "(?:"
				+ LAST_NAME + "|" + NAME + "(?:" + ARTIFACTS + ARTIFACT + "|(/[a-z:]+)))");

		/**
		 * Returns the names, or {@code null} if the path is no plain path of a session.
		 */
		static @Nullable PlainPath of(String path) {
			Matcher matcher = PATH.matcher(path);
			if (!matcher.matches()) {
				return null;
			}
			boolean ends = matcher.group(3) != null;
			String artifact = matcher.group(5);
			String subpath = (artifact != null) ? ARTIFACT_PATH : matcher.group(6);
			return new PlainPath(matcher.group(1), matcher.group(2), matcher.group(ends ? 3 : 4), ends ? "" : subpath,
					artifact);
		}

		Map<String, String> variables() {
			Map<String, String> variables = new HashMap<>(
					Map.of("appName", this.appName, "userId", this.userId, "sessionId", this.sessionId));
			if (this.artifact != null) {
				variables.put("artifact", this.artifact);
			}
			return variables;
		}

	}

}
