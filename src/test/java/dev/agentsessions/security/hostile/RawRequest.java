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

	private static final String STREAM = "text/event-stream";

	private static final int PATIENCE = 60_000;

	private static final int PATIENCE_WITH_STREAMS = 1000;

	public RawRequest(String method, String target, String headers, String body) {
		this(method, target, headers, body.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * The answer, head and body; empty if the service hung up without one. Of a stream
	 * that goes on, it is what comes until a pause: a changed path may lead to one, too.
	 */
	public String send(int port) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(PATIENCE);
			ByteArrayOutputStream answer = new ByteArrayOutputStream();
			try {
				write(socket.getOutputStream());
				read(socket, answer);
			}
			catch (SocketTimeoutException ex) {
				if (socket.getSoTimeout() == PATIENCE) {
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

	private static void read(Socket socket, ByteArrayOutputStream answer) throws IOException {
		byte[] part = new byte[1 << 13];
		int count = socket.getInputStream().read(part);
		while (count >= 0) {
			answer.write(part, 0, count);
			if (new String(part, 0, count, StandardCharsets.UTF_8).contains("Content-Type: " + STREAM)) {
				socket.setSoTimeout(PATIENCE_WITH_STREAMS);
			}
			count = socket.getInputStream().read(part);
		}
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
