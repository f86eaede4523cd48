package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/**
 * Who holds a row holds up those who need it, and nobody else: what others write ends
 * while the row is still held.
 */
@TestPropertySource(properties = "agent-sessions.append.waiting-size=1MB")
class LockedRowsTests extends PostgresStoreTest {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@Autowired
	private JdbcConnectionDetails server;

	@AfterEach
	void end() {
		this.threads.shutdown();
	}

	@Test
	void lockedSessionsHoldUpNobodyElse() throws Exception {
		List<SessionName> locked = List.of(newSession(), newSession(), newSession(), newSession());
		List<CompletableFuture<?>> waiting = new ArrayList<>();
		SessionName free = newSession();
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			for (SessionName name : locked) {
				other.lock(name);
			}
			for (int round = 0; round < 8; round++) {
				locked.forEach((name) -> waiting.addAll(writers(name, "{\"a\":1}")));
				writeInEveryWay(free);
			}
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
		}
		assertThat(waiting).allSatisfy((append) -> assertThat(append.get(30, TimeUnit.SECONDS)).isNotNull());
		assertThat(locked).allSatisfy((name) -> assertThat(read(name).revision()).isEqualTo(32));
	}

	@Test
	void aLockedKeyOfAnAppHoldsUpNobodyWhoDoesNotNeedIt() throws Exception {
		SessionName name = newSession();
		List<CompletableFuture<?>> waiting = new ArrayList<>();
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.lock(name.app(), "k");
			for (int round = 0; round < 8; round++) {
				SessionName sibling = this.store.create(Sessions.empty(Sessions.sibling(name, "w" + round))).name();
				waiting.addAll(writers(sibling, "{\"app:k\":1}"));
				writeInEveryWay(name);
			}
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
		}
		assertThat(waiting).allSatisfy((append) -> assertThat(append.get(30, TimeUnit.SECONDS)).isNotNull());
	}

	/** Four writers to one session: each in a way of its own. */
	private List<CompletableFuture<?>> writers(SessionName name, String delta) {
		NewEvent large = Events
			.event("{\"filler\":\"%s\",\"actions\":{\"stateDelta\":%s}}".formatted("x".repeat(70_000), delta));
		return List.of(start(() -> this.store.append(name, Events.append(Events.delta(delta)))),
				start(() -> this.store.append(name, Events.append(large))),
				start(() -> this.store.append(name,
						new AppendRequest(Events.delta(delta), Precondition.NONE,
								new SessionDetails("Holiday", null)))),
				start(() -> this.store.appendAll(name, List.of(Events.delta(delta)), Precondition.NONE)));
	}

	private CompletableFuture<?> start(Supplier<?> write) {
		return CompletableFuture.supplyAsync(write, this.threads);
	}

	private void writeInEveryWay(SessionName name) {
		for (CompletableFuture<?> write : writers(name, "{\"app:free\":1}")) {
			assertThat(write.orTimeout(20, TimeUnit.SECONDS).join()).isNotNull();
		}
		assertThat(this.store.create(Sessions.empty(Sessions.newKey())).revision()).isZero();
		this.store.changeState(name.app(), Sessions.state("{\"other\":1}"));
		assertThat(this.store.find(name, EventWindow.NONE)).isPresent();
	}

	@Test
	void refusesAppendsBeyondTheMemoryForThoseThatWait() throws Exception {
		SessionName name = newSession();
		NewEvent event = Events.event("{\"filler\":\"%s\"}".formatted("x".repeat(60_000)));
		List<CompletableFuture<?>> appends = new ArrayList<>();
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.lock(name);
			for (int number = 0; number < 40; number++) {
				NewEvent next = Events
					.event(event.body().text().replaceFirst("\"id\":\"[^\"]*\"", "\"id\":\"e" + number + "\""));
				appends.add(start(() -> this.store.append(name, Events.append(next))));
			}
			Awaitility.await()
				.until(() -> appends.stream().filter(CompletableFuture::isCompletedExceptionally).count() >= 20);
		}
		appends.forEach((append) -> append.handle((outcome, failure) -> failure).join());
		List<CompletableFuture<?>> refused = appends.stream()
			.filter(CompletableFuture::isCompletedExceptionally)
			.toList();
		assertThat(refused).hasSizeGreaterThanOrEqualTo(20)
			.allSatisfy((append) -> assertThatExceptionOfType(CompletionException.class).isThrownBy(append::join)
				.withCauseInstanceOf(SessionException.Unavailable.class)
				.withMessageContaining("Too many appends are waiting"));
		assertThat(read(name).revision()).isEqualTo(40 - refused.size());
	}

}
