package dev.agentsessions.web;

import java.util.Set;

import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.ServletRequestDataBinder;

/**
 * Fills a record of query parameters: each component gets the parameter with exactly its
 * name. Spring's own binder also reads headers, and takes {@code limit.x},
 * {@code label[0]} and {@code _limit} for parts of a component, and fails at most of
 * them.
 */
final class ParameterBinder extends ServletRequestDataBinder {

	ParameterBinder(@Nullable Object target, String name) {
		super(target, name);
		setDeclarativeBinding(true);
	}

	@Override
	public void construct(ServletRequest request) {
		construct(new ValueResolver() {

			@Override
			public @Nullable Object resolveValue(String name, Class<?> type) {
				String[] values = request.getParameterValues(name);
				return (values != null && values.length == 1) ? values[0] : values;
			}

			/** Spring searches these only for names of parts. */
			@Override
			public Set<String> getNames() {
				return Set.of();
			}

		});
	}

}
