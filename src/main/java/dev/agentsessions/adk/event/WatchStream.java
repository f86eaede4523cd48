package dev.agentsessions.adk.event;

import java.util.List;
import java.util.function.UnaryOperator;

import dev.agentsessions.adk.transfer.NdjsonOutput;
import dev.agentsessions.session.Event;
import dev.agentsessions.web.sse.SseConnection;
import dev.agentsessions.web.sse.SseWatch;

/**
 * Sends the events of a session as they are read elsewhere, without a type and with their
 * seq as the id.
 */
final class WatchStream extends SseWatch {

	/** In characters. Small events go together. */
	private static final int TOGETHER = 1 << 14;

	private final UnaryOperator<Event> form;

	/**
	 * Creates one.
	 * @param form what is shown of an event
	 */
	WatchStream(SseConnection stream, UnaryOperator<Event> form) {
		super(stream);
		this.form = form;
	}

	@Override
	public int show(List<Event> events) {
		int shown = 0;
		boolean ready = true;
		while (ready && shown < events.size()) {
			StringBuilder together = new StringBuilder();
			int next = shown;
			while (next < events.size() && together.length() < TOGETHER) {
				add(together, this.form.apply(events.get(next++)));
			}
			ready = send(together.toString());
			shown = ready ? next : shown;
		}
		return shown;
	}

	private static void add(StringBuilder text, Event event) {
		text.append("id: ").append(event.seq()).append("\ndata: ");
		text.append(NdjsonOutput.onOneLine(event.body().text())).append("\n\n");
	}

}
