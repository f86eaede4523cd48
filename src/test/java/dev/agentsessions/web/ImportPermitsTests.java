package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.JsonLinesReader.ImportPermits;
import dev.agentsessions.web.JsonLinesReader.ImportPermits.Permit;

/** Imports wait for a permit, and one caller does not get all of them. */
class ImportPermitsTests {

	private static final int PERMITS = 8;

	private static final int PERMITS_PER_CALLER = 2;

	private final ImportPermits permits = new ImportPermits(PERMITS);

	private final List<Thread> waiting = new ArrayList<>();

	@AfterEach
	void stopWaiting() throws InterruptedException {
		this.waiting.forEach(Thread::interrupt);
		for (Thread thread : this.waiting) {
			thread.join();
		}
	}

	@Test
	void oneCallerGetsAQuarterAndWaitsForItsOwnImports() {
		List<Permit> taken = take("ann", PERMITS_PER_CALLER);
		CompletableFuture<Permit> waiting = waiting("ann");

		this.permits.take("bob").close();
		assertThat(waiting).isNotDone();
		taken.get(0).close();
		assertThat(waiting.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
	}

	@Test
	void inOpenAccessAllTurnsMayBeTaken() {
		List<Permit> taken = take(null, PERMITS);
		CompletableFuture<Permit> waiting = waiting("ann");

		assertThat(waiting).isNotDone();
		taken.get(0).close();
		assertThat(waiting.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
	}

	@Test
	void noMoreThanThirtyTwoImportsOfACallerWait() {
		take("ann", PERMITS_PER_CALLER);
		List<CompletableFuture<Permit>> waiting = new ArrayList<>();
		for (int i = 0; i < 32; i++) {
			waiting.add(waiting("ann"));
		}
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> this.permits.take("ann"));
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
	}

	private List<Permit> take(String caller, int count) {
		List<Permit> taken = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			taken.add(this.permits.take(caller));
		}
		return taken;
	}

	/** Begins to wait, and is waiting when this returns. */
	private CompletableFuture<Permit> waiting(String caller) {
		CompletableFuture<Permit> permit = CompletableFuture.supplyAsync(() -> this.permits.take(caller), this::start);
		Thread thread = this.waiting.get(this.waiting.size() - 1);
		while (thread.getState() != Thread.State.TIMED_WAITING) {
			Thread.onSpinWait();
		}
		return permit;
	}

	private void start(Runnable task) {
		Thread thread = new Thread(task);
		this.waiting.add(thread);
		thread.start();
	}

}
