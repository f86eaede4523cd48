package dev.agentsessions.web.body;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.memory.MemoryBudget;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;

/**
 * Reads the body of a request. What is not UTF-8 is refused, because it could not be kept
 * as it was sent. JSON null is as good as no body, as in ADK's server.
 */
public class JsonObjectMessageConverter extends AbstractHttpMessageConverter<JsonObject> {

	private static final MediaType ANY_JSON = new MediaType("application", "*+json");

	/** Characters: the spaces around null are few. */
	private static final int SHORT = 1000;

	private final BodyParser parser;

	private final HttpProperties properties;

	private final BodyLimits limits;

	private final RequestMemoryFilter memoryLimiter;

	public JsonObjectMessageConverter(HttpProperties properties, BodyLimits limits, RequestMemoryFilter memoryLimiter) {
		super(StandardCharsets.UTF_8, MediaType.APPLICATION_JSON, ANY_JSON);
		this.parser = BodyParser.ofBodies(properties);
		this.properties = properties;
		this.limits = limits;
		this.memoryLimiter = memoryLimiter;
	}

	@Override
	protected boolean supports(Class<?> type) {
		return type == JsonObject.class;
	}

	@Override
	public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
		return false;
	}

	/** Null stands for no body, which Spring knows and its superclass does not say. */
	@Override
	@SuppressWarnings("NullAway")
	protected @Nullable JsonObject readInternal(Class<? extends JsonObject> type, HttpInputMessage message)
			throws IOException {
		HttpServletRequest request = currentRequest();
		BodyLimit limit = this.limits.of(request);
		long announced = message.getHeaders().getContentLength();
		limit.check(announced);
		BodyReader body = new BodyReader(limit, this.properties.bodyTimeout(), RequestMemoryFilter.of(request));
		String text = body.readText(message.getBody(), announced);
		return isNull(text) ? null : parse(request, text);
	}

	private static boolean isNull(String text) {
		return text.length() < SHORT && text.strip().equals("null");
	}

	private JsonObject parse(HttpServletRequest request, String text) {
		MemoryBudget.Share reserved = this.memoryLimiter.reserve(text.length());
		try {
			return this.parser.parse(text, (tokens) -> RequestMemoryFilter.counted(request, tokens));
		}
		finally {
			reserved.close();
		}
	}

	/** What is read from does not tell its path. */
	private static HttpServletRequest currentRequest() {
		return ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
	}

	@Override
	protected void writeInternal(JsonObject object, HttpOutputMessage response) {
		throw new HttpMessageNotWritableException("Only read");
	}

}
