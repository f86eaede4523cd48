package dev.agentsessions.postgres;

import java.time.Duration;
import java.util.Optional;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import dev.agentsessions.postgres.Lanes.Callers;

/** Threads that read, made for a test. */
public final class Readers {

	/** Each caller may have the whole lane. */
	public static final Callers NO_SHARES = new Callers(1, Optional::empty);

	private Readers() {
	}

	/** Returns some threads for which reads wait for a limited time. */
	public static ReaderThreads of(int count, Duration maxWait) {
		return new ReaderThreads(Lanes.of(count - 1, 0, Duration.ZERO, maxWait, NO_SHARES, new SimpleMeterRegistry()));
	}

}
