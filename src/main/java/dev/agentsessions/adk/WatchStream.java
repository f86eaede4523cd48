package dev.agentsessions.adk;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.agentsessions.http.EventStream;
import dev.agentsessions.session.Event;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.WatchEnd;
import dev.agentsessions.watch.WatchTarget;

/**
 * Sends what a watch shows as server-sent events, as HTML defines them. An event of the
 * session has no type and its seq as the id. The last one may have the type {@code end};
 * a stream that ends without is to be resumed.
 */
final class WatchStream implements WatchTarget {

	/** In characters. Small events go together. */
	private static final int TOGETHER = 1 << 14;

	/**
	 * How soon a client that was interrupted comes back, in milliseconds, and where it
	 * goes on if nothing has come until then.
	 */
	private static final String BEGINNING = "retry: 1000\nid: %d\n\n";

	/** A comment, which clients ignore. */
	private static final byte[] HEARTBEAT = bytes(":\n\n");

	private final EventStream stream;

	private final UnaryOperator<Event> form;

	private WatchStream(EventStream stream, UnaryOperator<Event> form) {
		this.stream = stream;
		this.form = form;
	}

	/**
	 * Has a watch start when its stream does.
	 * @param form what is shown of an event
	 */
	static EventStream.Listener start(Watch watch, UnaryOperator<Event> form) {
		return new EventStream.Listener() {

			@Override
			public void opened(EventStream stream) {
				stream.send(bytes(BEGINNING.formatted(watch.after())));
				watch.start(new WatchStream(stream, form));
			}

			@Override
			public void writable() {
				watch.resume();
			}

			@Override
			public void closed() {
				watch.close();
			}

		};
	}

	@Override
	public boolean isReady() {
		return this.stream.isReady();
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
			ready = this.stream.send(bytes(together.toString()));
			shown = ready ? next : shown;
		}
		return shown;
	}

	@Override
	public void heartbeat() {
		this.stream.send(HEARTBEAT);
	}

	@Override
	public void end(WatchEnd reason) {
		this.stream.end((reason != WatchEnd.INTERRUPTED)
				? bytes("event: end\ndata: {\"reason\":\"" + reason + "\"}\n\n") : bytes(""));
	}

	private static void add(StringBuilder text, Event event) {
		text.append("id: ").append(event.seq()).append("\ndata: ");
		text.append(LineOutput.onOneLine(event.body().text())).append("\n\n");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
