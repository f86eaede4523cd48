package dev.agentsessions.web;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.NumberUtils;

/**
 * The query parameters of a route: a record of texts, flags and numbers, which Spring MVC
 * fills for the same controller.
 *
 * @param <T> the record
 */
public final class PlainParameters<T extends Record> {

	private final Constructor<T> constructor;

	private final List<RecordComponent> components;

	public PlainParameters(Class<T> type) {
		this.constructor = BeanUtils.getResolvableConstructor(type);
		this.components = List.of(type.getRecordComponents());
	}

	/** Returns the types of the parameters by name. */
	public Map<String, PlainValue> types() {
		return this.components.stream()
			.collect(Collectors.toUnmodifiableMap(RecordComponent::getName, (each) -> PlainValue.of(each.getType())));
	}

	/** Returns the parameters of a request; those that it does not have are null. */
	public T of(DirectRequest request) {
		return BeanUtils.instantiateClass(this.constructor,
				this.components.stream().map((each) -> value(request.text(each.getName()), each.getType())).toArray());
	}

	private static @Nullable Object value(@Nullable String text, Class<?> type) {
		if (text == null || type == String.class) {
			return text;
		}
		return (type == Boolean.class) ? Boolean.valueOf(text)
				: NumberUtils.parseNumber(text, type.asSubclass(Number.class));
	}

}
