package dev.agentsessions.web.sse;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.WatchEndReason;
import dev.agentsessions.watch.WatchListener;

/**
 * Sends what a watch shows as server-sent events, as HTML defines them. The last one may
 * have the type {@code end}; a stream that ends without is to be resumed. A dialect says
 * what is sent of an event of the session.
 */
public abstract class SseWatch implements WatchListener {

	/**
	 * How soon a client that was interrupted comes back, in milliseconds, and where it
	 * goes on if nothing has come until then.
	 */
	private static final String BEGINNING = "retry: 1000\nid: %d\n\n";

	/** A comment, which clients ignore. */
	private static final String HEARTBEAT = ":\n\n";

	private static final String END = "event: end\ndata: {\"reason\":\"%s\"}\n\n";

	private final SseConnection stream;

	protected SseWatch(SseConnection stream) {
		this.stream = stream;
	}

	/** Has a watch start when its stream does. */
	public static SseConnection.Listener start(Watch watch, Function<SseConnection, SseWatch> dialect) {
		return new SseConnection.Listener() {

			@Override
			public void opened(SseConnection stream) {
				SseWatch target = dialect.apply(stream);
				target.send(BEGINNING.formatted(watch.after()));
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
		return this.stream.isReady();
	}

	/**
	 * Sends server-sent events.
	 * @return whether they are being sent
	 */
	protected final boolean send(String events) {
		return this.stream.send(events.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public final void heartbeat() {
		send(HEARTBEAT);
	}

	@Override
	public final void end(WatchEndReason reason) {
		String last = (reason != WatchEndReason.INTERRUPTED) ? END.formatted(reason) : "";
		this.stream.end(last.getBytes(StandardCharsets.UTF_8));
	}

}
