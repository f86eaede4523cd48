// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy that forwards bytes between client and service, cuts connections on request,
 * and stores the requests.
 */
final class Cutter implements AutoCloseable {

	private final URI service = URI.create(System.getenv("AGENT_SESSIONS_URL"));

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

	/** Whether new connections wait. */
	volatile boolean holds;

	Cutter() throws IOException {
		this(0);
	}

	Cutter(int port) throws IOException {
		this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	AgentSessionService client() {
		return AgentSessionService.builder().url("http://127.0.0.1:" + this.server.getLocalPort()).build();
	}

	int connections() {
		return this.sockets.size() / 2;
	}

	/** Returns what clients have sent. */
	String sent() {
		return this.sent.toString(StandardCharsets.UTF_8);
	}

	void cut() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		cut();
	}

	private void accept() throws IOException, InterruptedException {
		while (!this.server.isClosed()) {
			Socket client = this.server.accept();
			start(() -> {
				while (this.holds) {
					Thread.sleep(10);
				}
				Socket upstream = new Socket(this.service.getHost(), this.service.getPort());
				this.sockets.add(client);
				this.sockets.add(upstream);
				start(() -> copy(upstream, client, false));
				copy(client, upstream, true);
			});
		}
	}

	private void copy(Socket from, Socket to, boolean kept) throws IOException {
		try (from; to) {
			byte[] piece = new byte[1 << 16];
			for (int length = from.getInputStream().read(piece); length > 0; length = from.getInputStream().read(piece)) {
				to.getOutputStream().write(piece, 0, length);
				if (kept) {
					this.sent.write(piece, 0, length);
				}
			}
		}
		finally {
			this.sockets.remove(from);
			this.sockets.remove(to);
		}
	}

	private interface Work {

		void run() throws IOException, InterruptedException;

	}

	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException | InterruptedException ex) {
				// The test has cut the connection.
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

}
