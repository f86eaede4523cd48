package dev.agentsessions.web.body;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.Watch.WatchListener;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;

/**
 * Sends the events of a watch as server-sent events, as HTML defines them. The last
 * message may have the type {@code end}; a client resumes a stream that ends without it.
 * A dialect defines how an event of the session is sent.
 */
public abstract class SseWatch implements WatchListener {

	/**
	 * The delay in milliseconds after which an interrupted client reconnects, and the id
	 * from which it resumes if it has received no event.
	 */
	private static final String BEGINNING = "retry: 1000\nid: %s\n\n";

	/** A comment, which clients ignore. */
	private static final String HEARTBEAT = ":\n\n";

	private static final String END = "event: end\ndata: {\"reason\":\"%s\"}\n\n";

	private final SseConnection connection;

	protected SseWatch(SseConnection connection) {
		this.connection = connection;
	}

	/** Returns a listener that starts a watch when its connection opens. */
	public static SseConnection.Listener start(Watch watch, Function<SseConnection, SseWatch> dialect) {
		return new SseConnection.Listener() {

			@Override
			public void opened(SseConnection connection) {
				SseWatch target = dialect.apply(connection);
				target.send(BEGINNING.formatted(watch.point().text()));
				watch.start(target);
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
	public final boolean isReady() {
		return this.connection.isReady();
	}

	/**
	 * Adds a message about an event of the session.
	 * @param event the event, from which an interrupted client resumes
	 * @param json the data of the message
	 */
	protected static void addMessage(StringBuilder messages, Event event, String json) {
		messages.append("id: ")
			.append(EventPoint.textOf(event))
			.append("\ndata: ")
			.append(JsonStrings.onOneLine(json))
			.append("\n\n");
	}

	/**
	 * Sends server-sent events.
	 * @return whether they are being sent
	 */
	protected final boolean send(CharSequence events) {
		return this.connection.send(events.toString().getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public final void heartbeat() {
		send(HEARTBEAT);
	}

	@Override
	public final void end(WatchEndReason reason) {
		String last = (reason != WatchEndReason.INTERRUPTED) ? END.formatted(reason) : "";
		this.connection.end(last.getBytes(StandardCharsets.UTF_8));
	}

}
