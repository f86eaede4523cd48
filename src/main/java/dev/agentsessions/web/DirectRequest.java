package dev.agentsessions.web;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

}
