package dev.agentsessions.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A connection between a client and a server, which may be cut. */
final class Line {

	private static final int CHUNK = 8 * 1024;

	private final Socket client;

	private final Socket server;

	private final Supplier<Fault> fault;

	private final Consumer<String> onCut;

	private final ByteArrayOutputStream saidByServer = new ByteArrayOutputStream();

	private volatile boolean cut;

	/**
	 * Creates a line.
	 * @param fault what it does at the moment
	 * @param onCut gets all that the server said, whether it arrived or not, once it has
	 * been cut
	 */
	Line(Socket client, Socket server, Supplier<Fault> fault, Consumer<String> onCut) {
		this.client = client;
		this.server = server;
		this.fault = fault;
		this.onCut = onCut;
	}

	/** Passes on what the client says, until it has said all. */
	void passRequests() {
		try {
			pass(this.client, this.server, false);
			this.server.shutdownOutput();
		}
		catch (IOException ex) {
			// One of them is gone, and the other direction ends, too
		}
	}

	/** Passes on what the server says, until it has said all. */
	void passAnswers() {
		try (this.client; this.server) {
			pass(this.server, this.client, true);
		}
		catch (IOException ex) {
			// One of them is gone
		}
		if (this.cut) {
			this.onCut.accept(this.saidByServer.toString(StandardCharsets.UTF_8));
		}
	}

	private void pass(Socket from, Socket to, boolean fromServer) throws IOException {
		InputStream in = from.getInputStream();
		byte[] chunk = new byte[CHUNK];
		for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
			if (fromServer) {
				this.saidByServer.write(chunk, 0, count);
			}
			if (!this.cut) {
				int arriving = this.fault.get().arriving(fromServer, count);
				to.getOutputStream().write(chunk, 0, arriving);
				cutIf(arriving < count);
			}
		}
	}

	/** The server is still heard, but by nobody. */
	private void cutIf(boolean cut) throws IOException {
		if (cut) {
			this.cut = true;
			this.client.close();
			this.server.shutdownOutput();
		}
	}

}
