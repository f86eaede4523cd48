package dev.agentsessions.web.transfer;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonStrings;

/**
 * Writes lines to a response. Buffers the first characters, so that an early failure can
 * still be sent as an error.
 */
public final class NdjsonOutput {

	/** Not a registered media type, but the one that tools use. */
	public static final String MEDIA_TYPE = "application/x-ndjson";

	private static final int BUFFER_CHARS = 1 << 15;

	private final HttpServletResponse response;

	private final StringBuilder buffer = new StringBuilder();

	private @Nullable Writer body;

	/** Creates the output of a response. */
	public NdjsonOutput(HttpServletResponse response) {
		this.response = response;
	}

	/**
	 * Writes a line.
	 * @param parts the text of the line, in several parts that need no concatenation
	 */
	void line(String... parts) {
		for (String part : parts) {
			add(JsonStrings.onOneLine(part));
		}
		add("\n");
	}

	/** Sends the characters that are still in the buffer. */
	void end() {
		try {
			send();
			body().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void add(String text) {
		try {
			if (this.buffer.length() + text.length() > BUFFER_CHARS) {
				send();
			}
			if (text.length() > BUFFER_CHARS) {
				write(text);
			}
			else {
				this.buffer.append(text);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** In pieces, because the writer copies each one. */
	private void write(String text) throws IOException {
		for (int from = 0; from < text.length(); from += BUFFER_CHARS) {
			body().write(text, from, Math.min(BUFFER_CHARS, text.length() - from));
		}
	}

	private void send() throws IOException {
		body().append(this.buffer);
		this.buffer.setLength(0);
	}

	private Writer body() throws IOException {
		if (this.body == null) {
			this.response.setContentType(MEDIA_TYPE + ";charset=UTF-8");
			this.body = new OutputStreamWriter(this.response.getOutputStream(), StandardCharsets.UTF_8);
		}
		return this.body;
	}

}
