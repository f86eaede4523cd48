package dev.agentsessions.linearizability;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A client that takes a break after the first bytes of an answer. */
final class SlowReader {

	private static final int BUFFER = 16 * 1024;

	private SlowReader() {
	}

	/** The body of the answer, or what has arrived of it; empty if nothing has. */
	static Optional<String> read(int port, String path, int pauseMillis) {
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(BUFFER);
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
			InputStream answer = socket.getInputStream();
			String begin = new String(answer.readNBytes(BUFFER), StandardCharsets.US_ASCII);
			Thread.sleep(pauseMillis);
			String all = begin + new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
			int head = all.indexOf("\r\n\r\n");
			return (head >= 0) ? Optional.of(all.substring(head + 4)) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

}
