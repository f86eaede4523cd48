package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * A POST request that the service works on, and that lacks the last byte of its body.
 */
public final class HeldRequest implements AutoCloseable {

	private final Socket socket;

	private final String lastByte;

	private HeldRequest(Socket socket, String lastByte) {
		this.socket = socket;
		this.lastByte = lastByte;
	}

	/** Sends all but the last byte of the body, once the service waits for the body. */
	public static HeldRequest post(int port, String path, String body) throws IOException {
		int last = body.length() - 1;
		HeldRequest request = new HeldRequest(new Socket(InetAddress.getLoopbackAddress(), port), body.substring(last));
		request.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
				+ "Expect: 100-continue\r\nContent-Length: " + body.length() + "\r\n\r\n");
		assertThat(request.read()).startsWith("HTTP/1.1 100");
		request.send(body.substring(0, last));
		return request;
	}

	/** Waits until the service accepts no connections. */
	public static void awaitClosed(int port) {
		Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(5)).until(() -> {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				return !socket.isConnected();
			}
			catch (ConnectException ex) {
				return true;
			}
		});
	}

	/**
	 * Sends the last byte.
	 * @return the response as sent by the service, empty if it closed the connection
	 */
	public String finish() throws IOException {
		send(this.lastByte);
		return read();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	private void send(String text) throws IOException {
		this.socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private String read() throws IOException {
		byte[] response = new byte[16 * 1024];
		int length = this.socket.getInputStream().read(response);
		return new String(response, 0, Math.max(length, 0), StandardCharsets.UTF_8);
	}

}
