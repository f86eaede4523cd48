package dev.agentsessions.startup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;

import org.springframework.core.task.VirtualThreadTaskExecutor;

import dev.agentsessions.AgentSessionsApplication;

/**
 * The real program. After a line of input, a class that never ends its initialization
 * keeps the only carrier of the virtual threads.
 */
final class HangingProgram {

	private HangingProgram() {
	}

	public static void main(String[] args) {
		Thread input = new Thread(HangingProgram::hangAfterInput);
		input.setDaemon(true);
		input.start();
		AgentSessionsApplication.main(args);
	}

	private static void hangAfterInput() {
		try {
			if (System.in.read() >= 0) {
				new VirtualThreadTaskExecutor().execute(Endless::load);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Not a loop of its own, so that the carrier waits as in a deadlock. */
	private static final class Endless {

		static {
			while (!Thread.interrupted()) {
				LockSupport.park();
			}
		}

		static void load() {
		}

	}

}
