package dev.agentsessions.web.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.body.ImportTurns.Turn;

/** Imports wait for their turn, and one caller does not get all of them. */
class ImportTurnsTests {

	private static final int TURNS = 8;

	private static final int TURNS_OF_CALLER = 2;

	private final ImportTurns turns = new ImportTurns(TURNS);

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
		List<Turn> taken = take("ann", TURNS_OF_CALLER);
		CompletableFuture<Turn> waiting = waiting("ann");

		this.turns.take("bob").close();
		assertThat(waiting).isNotDone();
		taken.get(0).close();
		assertThat(waiting.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
	}

	@Test
	void inOpenAccessAllTurnsMayBeTaken() {
		List<Turn> taken = take(null, TURNS);
		CompletableFuture<Turn> waiting = waiting("ann");

		assertThat(waiting).isNotDone();
		taken.get(0).close();
		assertThat(waiting.orTimeout(10, TimeUnit.SECONDS).join()).isNotNull();
	}

	@Test
	void noMoreThanThirtyTwoImportsOfACallerWait() {
		take("ann", TURNS_OF_CALLER);
		List<CompletableFuture<Turn>> waiting = new ArrayList<>();
		for (int i = 0; i < 32; i++) {
			waiting.add(waiting("ann"));
		}
		assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(() -> this.turns.take("ann"));
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
	}

	private List<Turn> take(String caller, int count) {
		List<Turn> taken = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			taken.add(this.turns.take(caller));
		}
		return taken;
	}

	/** Begins to wait, and is waiting when this returns. */
	private CompletableFuture<Turn> waiting(String caller) {
		CompletableFuture<Turn> turn = CompletableFuture.supplyAsync(() -> this.turns.take(caller), this::start);
		Thread thread = this.waiting.get(this.waiting.size() - 1);
		while (thread.getState() != Thread.State.TIMED_WAITING) {
			Thread.onSpinWait();
		}
		return turn;
	}

	private void start(Runnable task) {
		Thread thread = new Thread(task);
		this.waiting.add(thread);
		thread.start();
	}

}
