package dev.agentsessions.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConversionException;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.RequestHeapFilter.BodyHeap;

/**
 * Reads the body of a posted form within the time that each body has. Otherwise Tomcat
 * would read it when a filter first asks for a parameter, also for a caller without
 * credentials, and would wait for as long as the client sends a byte now and then. A form
 * that is put is content, such as that of an artifact.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 60)
class FormFilter extends OncePerRequestFilter {

	private static final String MAX_SIZE = "server.tomcat.max-http-form-post-size";

	private final FormHttpMessageConverter forms = new FormHttpMessageConverter();

	private final BodyLimit limit;

	private final HttpProperties properties;

	private final RequestHeapFilter memory;

	FormFilter(@Value("${" + MAX_SIZE + "}") DataSize maxSize, HttpProperties properties, RequestHeapFilter memory) {
		this.limit = new BodyLimit(maxSize.toBytes(), MAX_SIZE);
		this.properties = properties;
		this.memory = memory;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		try {
			String type = request.getContentType();
			return !HttpMethod.POST.matches(request.getMethod()) || type == null
					|| !MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(MediaType.parseMediaType(type));
		}
		catch (InvalidMediaTypeException ex) {
			return true;
		}
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		this.limit.check(request.getContentLengthLong());
		try (BodyHeap heap = this.memory.open()) {
			String body = new BodyReader(this.limit, this.properties.bodyTimeout(), heap)
				.readText(request.getInputStream(), request.getContentLengthLong());
			chain.doFilter(new Form(request, fields(body)), response);
		}
	}

	/** A body that is no form has no fields: some clients call JSON a form. */
	private Map<String, String[]> fields(String body) throws IOException {
		Map<String, String[]> fields = new LinkedHashMap<>();
		try {
			this.forms.read(null, new Body(body))
				.forEach((name, values) -> fields.put(name,
						values.stream().map((value) -> Objects.requireNonNullElse(value, "")).toArray(String[]::new)));
		}
		catch (IllegalArgumentException | HttpMessageConversionException ex) {
			fields.clear();
		}
		return fields;
	}

	/** A body that has been read. */
	private record Body(String text) implements HttpInputMessage {

		@Override
		public InputStream getBody() {
			return new ByteArrayInputStream(this.text.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public HttpHeaders getHeaders() {
			return new HttpHeaders();
		}

	}

	/** A request with the fields of its form, after the parameters of its query. */
	private static final class Form extends HttpServletRequestWrapper {

		private final Map<String, String[]> parameters;

		Form(HttpServletRequest request, Map<String, String[]> fields) {
			super(request);
			this.parameters = new LinkedHashMap<>(request.getParameterMap());
			fields.forEach((name, values) -> this.parameters.merge(name, values,
					(first, second) -> Stream.of(first, second).flatMap(Stream::of).toArray(String[]::new)));
		}

		@Override
		public @Nullable String getParameter(String name) {
			String[] values = this.parameters.get(name);
			return (values != null) ? values[0] : null;
		}

		@Override
		public String @Nullable [] getParameterValues(String name) {
			return this.parameters.get(name);
		}

		@Override
		public Enumeration<String> getParameterNames() {
			return Collections.enumeration(this.parameters.keySet());
		}

		@Override
		public Map<String, String[]> getParameterMap() {
			return Collections.unmodifiableMap(this.parameters);
		}

	}

}
