package dev.agentsessions.adk.transfer;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines into an answer. Nothing of it is touched before there is a good deal to
 * send, so what fails early can still be answered as an error.
 */
public final class NdjsonOutput {

	private static final int CHARACTERS = 1 << 15;

	private final HttpServletResponse response;

	private final StringBuilder waiting = new StringBuilder();

	private @Nullable Writer body;

	NdjsonOutput(HttpServletResponse response) {
		this.response = response;
	}

	/**
	 * Writes a line.
	 * @param parts its text, in several parts that need not be put together
	 */
	void line(String... parts) {
		for (String part : parts) {
			add(onOneLine(part));
		}
		add("\n");
	}

	/** Sends what has not been sent. */
	void end() {
		try {
			send();
			body().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** JSON that was sent with line ends has them between its tokens only. */
	public static String onOneLine(String json) {
		boolean several = json.indexOf('\n') >= 0 || json.indexOf('\r') >= 0;
		return several ? json.replace('\n', ' ').replace('\r', ' ') : json;
	}

	private void add(String text) {
		try {
			if (this.waiting.length() + text.length() > CHARACTERS) {
				send();
			}
			if (text.length() > CHARACTERS) {
				body().write(text);
			}
			else {
				this.waiting.append(text);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void send() throws IOException {
		body().append(this.waiting);
		this.waiting.setLength(0);
	}

	private Writer body() throws IOException {
		if (this.body == null) {
			this.response.setContentType(TransferController.NDJSON);
			this.body = new OutputStreamWriter(this.response.getOutputStream(), StandardCharsets.UTF_8);
		}
		return this.body;
	}

}
