package dev.agentsessions.console;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.agentsessions.http.EventStream;
import dev.agentsessions.session.Event;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.WatchEnd;
import dev.agentsessions.watch.WatchTarget;

/**
 * Sends the seq of the newest event as a server-sent event, and {@code end} as the last
 * one if nothing will follow.
 */
final class SeqStream implements WatchTarget {

	private static final String HEARTBEAT = ":\n\n";

	private final EventStream stream;

	private SeqStream(EventStream stream) {
		this.stream = stream;
	}

	/** Has a watch start when its stream does. */
	static EventStream.Listener start(Watch watch) {
		return new EventStream.Listener() {

			@Override
			public void opened(EventStream stream) {
				stream.send(bytes("retry: 1000\n\n"));
				watch.start(new SeqStream(stream));
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
		long seq = events.get(events.size() - 1).seq();
		return this.stream.send(bytes("id: %1$d\ndata: %1$d\n\n".formatted(seq))) ? events.size() : 0;
	}

	@Override
	public void heartbeat() {
		this.stream.send(bytes(HEARTBEAT));
	}

	@Override
	public void end(WatchEnd reason) {
		this.stream.end((reason != WatchEnd.INTERRUPTED) ? bytes("event: end\ndata: " + reason + "\n\n") : bytes(""));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
