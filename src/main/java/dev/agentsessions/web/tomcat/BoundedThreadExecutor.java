package dev.agentsessions.web.tomcat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * Starts a thread for each task, and only so many at once; further tasks wait in their
 * order. For virtual threads: to keep them in a pool of the JDK instead made appends a
 * fifth slower.
 */
final class BoundedThreadExecutor implements Executor {

	private final ThreadFactory threads;

	private final Semaphore slots;

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	/**
	 * Creates an executor.
	 * @param most how many tasks run at once
	 */
	BoundedThreadExecutor(ThreadFactory threads, int most) {
		this.threads = threads;
		this.slots = new Semaphore(most);
	}

	@Override
	public void execute(Runnable task) {
		if (this.waiting.isEmpty() && this.slots.tryAcquire()) {
			start(task);
		}
		else {
			this.waiting.add(task);
			startWaiting();
		}
	}

	/** Whoever adds a task or frees a slot comes here, so no task is left behind. */
	private void startWaiting() {
		while (!this.waiting.isEmpty() && this.slots.tryAcquire()) {
			Runnable task = this.waiting.poll();
			if (task != null) {
				start(task);
			}
			else {
				this.slots.release();
			}
		}
	}

	private void start(Runnable task) {
		this.threads.newThread(() -> {
			try {
				task.run();
			}
			finally {
				this.slots.release();
				startWaiting();
			}
		}).start();
	}

}
