package dev.agentsessions.support;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A slow client: sends the same few bytes at a fixed rate, until the receiver closes the
 * connection or the client stops.
 */
public final class SlowSender {

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private SlowSender() {
	}

	/** Starts to send the text once in each period. */
	public static SlowSender start(OutputStream receiver, String text, Duration period) {
		SlowSender sender = new SlowSender();
		byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
		sender.timer.scheduleAtFixedRate(() -> send(receiver, bytes), 0, period.toNanos(), TimeUnit.NANOSECONDS);
		return sender;
	}

	/** Fails when the receiver has closed the connection; that ends the schedule. */
	private static void send(OutputStream receiver, byte[] bytes) {
		try {
			receiver.write(bytes);
			receiver.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Stops sending. */
	public void close() {
		this.timer.shutdownNow();
	}

}
