import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Stands between a client and the service and spoils the next requests, as it is told to by {@code POST
 * /faults/kind,kind}: 429 or 503 (not sent on), unsent (connection closed), pass, half (half the body reaches the service),
 * unanswered (the answer gets lost), half-answered. {@code GET /faults} answers how many are left.
 */
public class Faults {

	private static final Set<String> HOP_BY_HOP = Set.of("connection", "content-length", "host", "expect", "upgrade",
			"transfer-encoding", "http2-settings", "keep-alive", ":status");

	private final HttpClient service = HttpClient.newHttpClient();

	private final Queue<String> faults = new ConcurrentLinkedQueue<>();

	private final URI address;

	private Faults(URI address) {
		this.address = address;
	}

	public static void main(String[] args) throws IOException {
		Faults faults = new Faults(URI.create(args[1]));
		HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
		server.setExecutor(Executors.newCachedThreadPool());
		server.createContext("/", faults::answer);
		server.createContext("/faults", faults::control);
		server.start();
	}

	private void control(HttpExchange exchange) throws IOException {
		if (exchange.getRequestMethod().equals("POST")) {
			this.faults.clear();
			this.faults.addAll(List.of(exchange.getRequestURI().getPath().substring("/faults/".length()).split(",")));
		}
		byte[] left = String.valueOf(this.faults.size()).getBytes();
		exchange.sendResponseHeaders(200, left.length);
		exchange.getResponseBody().write(left);
		exchange.close();
	}

	private void answer(HttpExchange exchange) throws IOException {
		String fault = this.faults.poll();
		if (fault == null) {
			answer(exchange, 1);
			return;
		}
		switch (fault) {
			case "429", "503" -> {
				exchange.getRequestBody().readAllBytes();
				exchange.getResponseHeaders().add("Retry-After", "1");
				exchange.sendResponseHeaders(Integer.parseInt(fault), -1);
			}
			case "pass" -> answer(exchange, 1);
			case "half" -> sendHalf(exchange, exchange.getRequestBody().readAllBytes());
			case "unanswered" -> send(exchange);
			case "half-answered" -> answer(exchange, 2);
			default -> exchange.getRequestBody().read();
		}
		exchange.close();
	}

	/** Passes the answer on, or a part of it and then closes the connection. */
	private void answer(HttpExchange exchange, int divisor) throws IOException {
		HttpResponse<byte[]> response = send(exchange);
		response.headers().map().forEach((name, values) -> {
			if (!HOP_BY_HOP.contains(name.toLowerCase())) {
				exchange.getResponseHeaders().put(name, values);
			}
		});
		byte[] body = response.body();
		exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
		exchange.getResponseBody().write(body, 0, body.length / divisor);
		exchange.getResponseBody().flush();
		exchange.close();
	}

	private HttpResponse<byte[]> send(HttpExchange exchange) throws IOException {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.address.resolve(exchange.getRequestURI()));
		exchange.getRequestHeaders().forEach((name, values) -> {
			if (!HOP_BY_HOP.contains(name.toLowerCase())) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		byte[] body = exchange.getRequestBody().readAllBytes();
		request.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
		try {
			return this.service.send(request.build(), BodyHandlers.ofByteArray());
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	/** A request whose connection breaks in the middle of its body. */
	private void sendHalf(HttpExchange exchange, byte[] body) throws IOException {
		try (Socket socket = new Socket(this.address.getHost(), this.address.getPort())) {
			StringBuilder head = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " HTTP/1.1\r\n");
			exchange.getRequestHeaders().forEach((name, values) -> head.append(name + ": " + values.get(0) + "\r\n"));
			OutputStream out = socket.getOutputStream();
			out.write((head + "\r\n").getBytes());
			out.write(body, 0, body.length / 2);
			out.flush();
		}
	}

}
