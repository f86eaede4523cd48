package dev.agentsessions.linearizability;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Kills something now and then, and sees to it that it comes back. */
final class Killer implements Runnable {

	private static final int LONGEST_PEACE_MILLIS = 4000;

	private final Cluster cluster;

	private final Random random;

	private final Semaphore end = new Semaphore(0);

	private int kills;

	private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

	Killer(Cluster cluster, long seed) {
		this.cluster = cluster;
		this.random = new Random(seed);
	}

	void start() {
		if (this.cluster.mayFail()) {
			this.work = CompletableFuture.runAsync(this, (task) -> new Thread(task).start());
		}
	}

	/**
	 * Ends when all that was killed is back.
	 * @return how often it killed something
	 */
	int stop() {
		this.end.release();
		this.work.join();
		this.end.drainPermits();
		return this.kills;
	}

	@Override
	public void run() {
		try {
			while (!this.end.tryAcquire(this.random.nextInt(LONGEST_PEACE_MILLIS), TimeUnit.MILLISECONDS)) {
				this.cluster.killSomething(this.random);
				this.kills++;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
