package dev.agentsessions.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotWritableException;

import dev.agentsessions.session.JsonObject;
import dev.agentsessions.session.SessionException;

/**
 * Reads the body of a request. What is not UTF-8 is refused, because it could not be kept
 * as it was sent.
 */
class JsonBodyReader extends AbstractHttpMessageConverter<JsonObject> {

	private static final MediaType ANY_JSON = new MediaType("application", "*+json");

	private final BodyBytes bytes;

	private final int maxDepth;

	JsonBodyReader(HttpProperties properties) {
		super(StandardCharsets.UTF_8, MediaType.APPLICATION_JSON, ANY_JSON);
		this.bytes = new BodyBytes(properties.maxBodySize().toBytes(), properties.bodyTimeout());
		this.maxDepth = properties.maxJsonDepth();
	}

	@Override
	protected boolean supports(Class<?> type) {
		return type == JsonObject.class;
	}

	@Override
	public boolean canWrite(Class<?> type, MediaType mediaType) {
		return false;
	}

	@Override
	protected JsonObject readInternal(Class<? extends JsonObject> type, HttpInputMessage request) throws IOException {
		if (request.getHeaders().getContentLength() > this.bytes.limit()) {
			throw new SessionException.PayloadTooLarge(this.bytes.limit());
		}
		String text = decode(this.bytes.read(request.getBody()));
		JsonDepth.check(text, this.maxDepth);
		return JsonObject.parse(text.strip().equals("null") ? "{}" : text);
	}

	private static String decode(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new SessionException.MalformedJson("it is not UTF-8");
		}
	}

	@Override
	protected void writeInternal(JsonObject object, HttpOutputMessage response) {
		throw new HttpMessageNotWritableException("Only read");
	}

}
