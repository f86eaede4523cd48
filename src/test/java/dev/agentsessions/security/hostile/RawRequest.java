package dev.agentsessions.security.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A request of any bytes, such as no client library would send.
 *
 * @param method the method
 * @param target path and query
 * @param headers whole header lines; the length is added if they say nothing of it
 * @param body the body
 */
public record RawRequest(String method, String target, String headers, byte[] body) {

	private static final int PATIENCE = 60_000;

	private static final int PATIENCE_WITH_STREAMS = 1000;

	public RawRequest(String method, String target, String headers, String body) {
		this(method, target, headers, body.getBytes(StandardCharsets.UTF_8));
	}

	/** The answer, head and body; empty if the service hung up without one. */
	public String send(int port) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(isEndless() ? PATIENCE_WITH_STREAMS : PATIENCE);
			ByteArrayOutputStream answer = new ByteArrayOutputStream();
			try {
				write(socket.getOutputStream());
				socket.getInputStream().transferTo(answer);
			}
			catch (SocketTimeoutException ex) {
				if (!isEndless()) {
					throw ex;
				}
			}
			catch (SocketException ex) {
				// The service hung up before it had read all; what it said until then
				// counts
			}
			return answer.toString(StandardCharsets.UTF_8);
		}
	}

	/** Whether the answer may be one that goes on. */
	private boolean isEndless() {
		return this.target.contains("events:watch");
	}

	private void write(OutputStream connection) throws IOException {
		String length = this.headers.contains("Content-Length") || this.headers.contains("Transfer-Encoding") ? ""
				: "Content-Length: " + this.body.length + "\r\n";
		String head = this.method + " " + this.target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + length
				+ this.headers + "\r\n";
		connection.write(head.getBytes(StandardCharsets.UTF_8));
		connection.write(this.body);
		connection.flush();
	}

	/** The status of the answer, after {@code 100 Continue}; 0 if there is none. */
	public static int status(String answer) {
		String last = answer.startsWith("HTTP/1.1 100") ? answer.substring(answer.indexOf("\r\n\r\n") + 4) : answer;
		return last.isEmpty() ? 0 : Integer.parseInt(last.split(" ", 3)[1]);
	}

}
