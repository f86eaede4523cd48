package dev.agentsessions.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Stands between clients and a server, so that their lines can be bad. */
final class Proxy implements AutoCloseable {

	private final int target;

	private final ServerSocket entrance;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final BlockingQueue<String> cutAnswers = new LinkedBlockingQueue<>();

	private volatile Fault fault = Fault.NONE;

	Proxy(int target) {
		this.target = target;
		try {
			this.entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	int port() {
		return this.entrance.getLocalPort();
	}

	/** What all lines do from now on. */
	void setFault(Fault fault) {
		this.fault = fault;
	}

	/** For each line that has been cut, all that the server said on it, heard or not. */
	BlockingQueue<String> cutAnswers() {
		return this.cutAnswers;
	}

	private void accept() {
		while (!this.entrance.isClosed()) {
			try {
				Socket client = this.entrance.accept();
				this.sockets.add(client);
				connect(client);
			}
			catch (IOException ex) {
				// The proxy is closed
			}
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(server);
			Line line = new Line(client, server, () -> this.fault, this.cutAnswers::add);
			this.threads.execute(line::passRequests);
			this.threads.execute(line::passAnswers);
		}
		catch (IOException ex) {
			client.close();
		}
	}

	@Override
	public void close() {
		try {
			this.entrance.close();
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.shutdownNow();
	}

}
