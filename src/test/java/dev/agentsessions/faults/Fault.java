package dev.agentsessions.faults;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What a line does with what is said on it. */
interface Fault {

	/** A good line. */
	Fault NONE = (fromServer, count) -> count;

	/** How many of the next bytes arrive. If not all do, the line is cut behind them. */
	int arriving(boolean fromServer, int count);

	/** Answers arrive up to this length, all of them together. */
	static Fault cutAnswersAfter(int bytes) {
		AtomicInteger left = new AtomicInteger(bytes);
		return (fromServer, count) -> fromServer ? Math.max(0, Math.min(count, left.getAndAdd(-count))) : count;
	}

	/** Cuts in the middle of anything, once in so many times. */
	static Fault cutOnceIn(int times, Random random) {
		return (fromServer, count) -> (random.nextInt(times) == 0) ? random.nextInt(count) : count;
	}

	/** Everything arrives later. */
	static Fault delay(int millis) {
		Executor later = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
		return (fromServer, count) -> CompletableFuture.supplyAsync(() -> count, later).join();
	}

}
