package dev.agentsessions.web.part;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.PartNotFoundException;

/** Responds with the bytes of a part. */
public final class PartResponse {

	/**
	 * Events never change, but a later session may have the same name, and erased data
	 * should not stay in browsers for long: one day.
	 */
	private static final String CACHE_FOR_A_DAY = "private, max-age=86400, immutable";

	private PartResponse() {
	}

	/**
	 * Writes the response: the whole content, a range, or that the content has not
	 * changed.
	 * @param event the event with the part
	 * @param part the index of the part, from 0
	 * @throws PartNotFoundException if the part does not exist or has no data
	 * @throws IOException if the client has disconnected
	 */
	public static void write(Event event, int part, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		PartContent content = InlineData.of(event.body(), part)
			.map(PartContent::of)
			.orElseThrow(PartNotFoundException::new);
		FileResponse.write(content.toFile(), CACHE_FOR_A_DAY, request, response);
	}

}
