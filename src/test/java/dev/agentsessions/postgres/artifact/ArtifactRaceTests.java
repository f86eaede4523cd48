package dev.agentsessions.postgres.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.postgres.artifact.ArtifactWrites.NextVersion;
import dev.agentsessions.postgres.lifecycle.KeySweeper;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.Sha256;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Histories;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.lifecycle.SessionService.Erasure;
import dev.agentsessions.session.lifecycle.HistoryPoint;
import dev.agentsessions.session.lifecycle.HistoryPoint.ForkRequest;
import dev.agentsessions.session.lifecycle.HistoryPoint.RewindRequest;
import dev.agentsessions.session.lifecycle.HistoryService;

/**
 * Artifacts that many save, delete, fork, rewind, erase and sweep at once, and writes
 * that end before any of their statements.
 */
class ArtifactRaceTests extends PostgresStoreTest {

	private static final NewArtifact FILE = new NewArtifact(ArtifactKind.BYTES, "image/png", null, null, null);

	private static final NewArtifact REFERENCE = new NewArtifact(ArtifactKind.REFERENCE, null, null, "gs://files/late",
			null);

	private static final String SOMEBODY_WAITS = "select exists (select from pg_locks where not granted)";

	/** Few different contents, so that many versions have equal bytes. */
	private static final int CONTENTS = 4;

	/** Three chunks. */
	private static final int LARGE = 600_000;

	@Autowired
	private ArtifactService.Store artifacts;

	@Autowired
	private ArtifactRemover blobs;

	@Autowired
	private KeySweeper sessions;

	@Autowired
	private ArtifactWrites writes;

	@Autowired
	private Transactions transactions;

	@Autowired
	private HistoryService.Store past;

	private final SessionName first = Sessions.newKey();

	private HistoryService history;

	@BeforeEach
	void begin() {
		this.history = Histories.of(this.store, this.past);
	}

	@AfterEach
	void leaveNothing() {
		this.store.erase(this.first.user());
		sweep();
		ArtifactTables.assertSwept(this.jdbc, "after the erasure");
		for (String table : List.of("artifacts", "artifact_versions")) {
			assertThat(this.jdbc.queryForObject("select count(*) from " + table + " where user_key = ?", Long.class,
					ScopeKey.of(this.first.user())))
				.as(table)
				.isZero();
		}
	}

	@Test
	void numbersVersionsOfRacingSaversWithoutGaps() throws Exception {
		this.store.create(Sessions.empty(this.first));
		List<Integer> numbers = Concurrently.run(8,
				(number) -> IntStream.range(0, 10).map((count) -> save("a", number, false).version()).boxed().toList())
			.stream()
			.flatMap(List::stream)
			.sorted()
			.toList();
		assertThat(numbers).isEqualTo(IntStream.range(0, 80).boxed().toList());
	}

	@Test
	void keepsBytesAndVersionsTogetherWhateverOthersDo() throws Exception {
		AtomicInteger reads = new AtomicInteger();
		Concurrently.run(6, (number) -> {
			Random random = new Random(number);
			for (int step = 0; step < 60; step++) {
				step(random, step * 10 + number, reads);
			}
			return true;
		});
		ArtifactTables.assertWhole(this.jdbc, "after the race");
		sweep();
		ArtifactTables.assertSwept(this.jdbc, "after the sweep");
		assertThat(reads).hasPositiveValue();
	}

	private void step(Random random, int number, AtomicInteger reads) {
		SessionName session = Sessions.sibling(this.first, "s" + random.nextInt(3));
		ArtifactName name = ArtifactName.of(session, List.of("a", "b", "user:c").get(random.nextInt(3)));
		try {
			switch (random.nextInt(12)) {
				case 0 -> this.artifacts.delete(name, null, ArtifactPrecondition.NONE);
				case 1 -> this.artifacts.delete(name, random.nextInt(3), ArtifactPrecondition.NONE);
				case 2 -> fork(session, "f" + number);
				case 3 -> rewind(session);
				case 4 -> this.store.delete(session, Precondition.NONE);
				case 5 -> this.store.erase(session.user());
				case 6 -> this.blobs.run();
				case 7, 8 -> this.artifacts.find(name, null).ifPresent((found) -> readWhole(found, reads));
				default -> saveAgain(session, name, random);
			}
		}
		catch (SessionException ex) {
			assertThat(ex.kind()).isIn(SessionException.Kind.NOT_FOUND, SessionException.Kind.ARTIFACT_NOT_FOUND,
					SessionException.Kind.INVOCATION_NOT_FOUND, SessionException.Kind.ALREADY_EXISTS,
					SessionException.Kind.UNAVAILABLE);
		}
	}

	private void saveAgain(SessionName session, ArtifactName name, Random random) {
		try {
			this.store.create(Sessions.empty(session));
		}
		catch (SessionException.AlreadyExists ex) {
			this.store.append(session, Events.append(Events.event("{\"author\":\"a\",\"invocationId\":\"i\"}")));
		}
		save(name, content(random.nextInt(CONTENTS), random.nextInt(4) == 0));
	}

	/** Reads may find that the bytes are deleted, but never others. */
	private void readWhole(ArtifactVersion version, AtomicInteger reads) {
		if (version.content() == null) {
			return;
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		while (bytes.size() < version.size()) {
			bytes.writeBytes(this.artifacts.read(version, bytes.size()));
		}
		assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(bytes.toByteArray())))
			.isEqualTo(version.content().digest());
		reads.incrementAndGet();
	}

	@ParameterizedTest
	@EnumSource
	void leavesNothingHalfStoredWhenAProcessDies(Write write) {
		int statement = firstWithout((number) -> dies(write, number));
		assertThat(statement).as("statements of %s", write).isGreaterThan(2);
	}

	private boolean dies(Write write, int statement) {
		prepare();
		AtomicInteger statements = new AtomicInteger();
		Thread process = Thread.currentThread();
		boolean died = false;
		try {
			StatementRecorder.callBeforeEach(() -> {
				if (Thread.currentThread() == process && statements.incrementAndGet() >= statement) {
					throw new Death();
				}
			}, () -> {
				write(write);
				return true;
			});
		}
		catch (Death ex) {
			died = true;
		}
		String where = write + ", before statement " + statement;
		ArtifactTables.assertWhole(this.jdbc, where);
		this.jdbc.update("update artifact_blobs set sweep_time = now() where sweep_time is not null");
		sweep();
		ArtifactTables.assertSwept(this.jdbc, where);
		this.store.erase(this.first.user());
		return died;
	}

	/**
	 * Between any two statements of a write, others delete what it refers to and sweep.
	 */
	@ParameterizedTest
	@EnumSource(names = { "SAVE_EQUAL", "FORK", "REWIND" })
	void losesNoBytesToASweepBetweenTwoStatements(Write write) {
		int statement = firstWithout((number) -> isInterrupted(write, number));
		assertThat(statement).as("statements of %s", write).isGreaterThan(3);
	}

	private boolean isInterrupted(Write write, int statement) {
		prepare();
		boolean interrupted = callBefore(statement, this::deleteAllAndSweep, () -> writeOrRefuse(write));
		sweep();
		ArtifactTables.assertSwept(this.jdbc, write + ", before statement " + statement);
		this.store.erase(this.first.user());
		return interrupted;
	}

	/** Between any two statements of a fork, an event and its version are added. */
	@Test
	void aForkHasTheVersionsOfItsNewestEvent() {
		int statement = firstWithout(this::isRewoundDuringFork);
		assertThat(statement).isGreaterThan(10);
	}

	private boolean isRewoundDuringFork(int statement) {
		prepare();
		boolean rewound = callBefore(statement, () -> rewind(this.first), () -> fork(this.first, "f"));
		SessionName fork = Sessions.sibling(this.first, "f");
		assertThat(this.artifacts.versions(ArtifactName.of(fork, "a"))).as("before statement %d", statement)
			.hasSize((int) this.store.find(fork, EventWindow.NONE).orElseThrow().revision());
		this.store.erase(this.first.user());
		return rewound;
	}

	/** Between any two statements of a rewind, an artifact is saved. */
	@Test
	void aRewindTakesBackEverythingThatWasSavedBefore() {
		int statement = firstWithout(this::isSavedDuringRewind);
		assertThat(statement).isGreaterThan(10);
	}

	private boolean isSavedDuringRewind(int statement) {
		prepare();
		boolean saved = callBefore(statement, this::saveInAnotherReplica, () -> rewind(this.first));
		List<Long> savedAfter = this.artifacts.versions(ArtifactName.of(this.first, "late"))
			.stream()
			.map(ArtifactVersion::afterSeq)
			.toList();
		assertThat(savedAfter).as("saved before statement %d", statement)
			.isIn(saved ? List.of(List.of(2L, 2L), List.of(3L)) : List.of(List.of()));
		this.store.erase(this.first.user());
		return saved;
	}

	/** Between any two statements of a deletion, the same name is saved. */
	@ParameterizedTest
	@CsvSource({ "DELETE, a", "DELETE, late", "DELETE_VERSION, a", "ERASE, user:c", "ERASE, user:late" })
	void aDeletionLeavesNoVersionWithoutItsName(Write write, String name) {
		int statement = firstWithout((number) -> isSavedDuring(write, name, number));
		assertThat(statement).as("statements of %s", write).isGreaterThan(2);
	}

	private boolean isSavedDuring(Write write, String name, int statement) {
		prepare();
		ArtifactName saved = ArtifactName.of(this.first, name);
		UUID scope = name.startsWith("user:") ? ScopeKey.of(this.first.user()) : StoredKey.of(this.jdbc, this.first);
		boolean savedMeanwhile = callBefore(statement, () -> saveInAnotherReplica(saved, scope),
				() -> write(write, saved));
		ArtifactTables.assertWhole(this.jdbc, write + ", " + name + ", saved before statement " + statement);
		this.store.erase(this.first.user());
		return savedMeanwhile;
	}

	@Test
	void anErasureThatWaitsForASaveLeavesItsName() {
		this.store.create(Sessions.empty(this.first));
		save("user:c", 1, false);
		ArtifactKey key = ArtifactKey.of(ArtifactName.of(this.first, "user:c"), ScopeKey.of(this.first.user()));
		CompletableFuture<Erasure> erasure = this.transactions.write(() -> {
			NextVersion next = this.writes.nextVersion(key, null, 0, null);
			CompletableFuture<Erasure> waiting = Concurrently.start(() -> this.store.erase(this.first.user()));
			Awaitility.await()
				.pollInSameThread()
				.pollInterval(Duration.ofMillis(1))
				.until(() -> this.jdbc.queryForObject(SOMEBODY_WAITS, Boolean.class));
			this.writes.insert(key, next.number(), next.afterSeq(), null, REFERENCE, null, null);
			return waiting;
		});
		erasure.join();
		ArtifactTables.assertWhole(this.jdbc, "after the erasure");
		assertThat(this.artifacts.versions(ArtifactName.of(this.first, "user:c"))).hasSize(1);
	}

	/** Between any two statements of a save, an event is appended. */
	@Test
	void aVersionThatIsSavedAfterAnEventSaysSo() {
		int statement = firstWithout(this::isAppendedDuringSave);
		assertThat(statement).isGreaterThan(2);
	}

	private boolean isAppendedDuringSave(int statement) {
		prepare();
		AtomicBoolean appended = new AtomicBoolean();
		AtomicReference<ArtifactVersion> version = new AtomicReference<>();
		AtomicBoolean appendedFirst = new AtomicBoolean();
		boolean interrupted = callBefore(statement, () -> {
			appendInAnotherReplica();
			appended.set(true);
		}, () -> version.set(save("b", 3, false)), () -> appendedFirst.set(appended.get()));
		assertThat(version.get().afterSeq()).as("appended before statement %d", statement)
			.isGreaterThanOrEqualTo(appendedFirst.get() ? 3 : 2);
		this.store.erase(this.first.user());
		return interrupted;
	}

	/** In this replica, writes to one session take turns. */
	private void saveInAnotherReplica() {
		saveInAnotherReplica(ArtifactName.of(this.first, "late"), StoredKey.of(this.jdbc, this.first));
	}

	private void saveInAnotherReplica(ArtifactName name, UUID scope) {
		ArtifactKey key = ArtifactKey.of(name, scope);
		this.transactions.write(() -> {
			NextVersion next = this.writes.nextVersion(key, null, 0, null);
			return this.writes.insert(key, next.number(), next.afterSeq(), null, REFERENCE, null, null);
		});
	}

	private void appendInAnotherReplica() {
		this.jdbc.update("update sessions set revision = revision + 1 where session_key = ?",
				StoredKey.of(this.jdbc, this.first));
	}

	/** A version of due bytes is deleted while a sweep looks at them. */
	@Test
	void aSweepBesideADeletionLeavesNoBytes() {
		int statement = firstWithout(this::isSweptBeside);
		assertThat(statement).isGreaterThan(3);
	}

	private boolean isSweptBeside(int statement) {
		prepare();
		ArtifactName name = ArtifactName.of(this.first, "d");
		save("d", 5, true);
		save("d", 5, true);
		this.artifacts.delete(name, 0, ArtifactPrecondition.NONE);
		boolean swept = callBefore(statement, this.blobs,
				() -> this.artifacts.delete(name, 1, ArtifactPrecondition.NONE));
		sweep();
		ArtifactTables.assertSwept(this.jdbc, "before statement " + statement);
		this.store.erase(this.first.user());
		return swept;
	}

	@Test
	void storesEqualBytesOfRacingSavesOnce() {
		int statement = firstWithout(this::isSavedBeside);
		assertThat(statement).isGreaterThan(2);
	}

	/** Saves in one session take turns. */
	private boolean isSavedBeside(int statement) {
		this.store.create(Sessions.empty(this.first));
		SessionName other = this.store.create(Sessions.empty(Sessions.sibling(this.first, "other"))).name();
		boolean saved = callBefore(statement, () -> save(ArtifactName.of(other, "a"), content(1, false)),
				() -> save("a", 1, false));
		assertThat(this.jdbc.queryForObject("select count(*) from artifact_blobs where user_key = ?", Long.class,
				ScopeKey.of(this.first.user())))
			.as("before statement %d", statement)
			.isOne();
		ArtifactTables.assertSwept(this.jdbc, "before statement " + statement);
		this.store.erase(this.first.user());
		return saved;
	}

	/**
	 * Tries each statement of a write; returns the first number that it does not have.
	 */
	private static int firstWithout(IntPredicate hasStatement) {
		int statement = 1;
		while (hasStatement.test(statement)) {
			statement++;
		}
		return statement;
	}

	private static boolean callBefore(int statement, Runnable other, Runnable write) {
		return callBefore(statement, other, write, () -> {
		});
	}

	/**
	 * Begins other work before a statement of a write; false if it has fewer.
	 * @param look looks at what the other work has done when the statement is executed
	 */
	private static boolean callBefore(int statement, Runnable other, Runnable write, Runnable look) {
		AtomicInteger statements = new AtomicInteger();
		Thread writer = Thread.currentThread();
		AtomicReference<CompletableFuture<Void>> others = new AtomicReference<>();
		StatementRecorder.callBeforeEach(() -> {
			if (Thread.currentThread() == writer && statements.incrementAndGet() == statement) {
				others.set(Concurrently.start(other));
				waitAMoment(others.get());
				look.run();
			}
		}, () -> {
			write.run();
			return true;
		});
		if (others.get() == null) {
			return false;
		}
		others.get().join();
		return true;
	}

	/** As another replica does it: in this one, writes to one session take turns. */
	private void deleteAllAndSweep() {
		UUID session = StoredKey.of(this.jdbc, this.first);
		for (ArtifactKey key : List.of(ArtifactKey.of(ArtifactName.of(this.first, "a"), session),
				ArtifactKey.of(ArtifactName.of(this.first, "user:c"), ScopeKey.of(this.first.user())))) {
			this.transactions.write(() -> {
				this.writes.lockName(key);
				return this.writes.delete(key, null);
			});
		}
		this.blobs.run();
	}

	/** The others may wait for a row that the writer has locked. */
	private static void waitAMoment(CompletableFuture<Void> others) {
		try {
			others.get(300, TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void writeOrRefuse(Write write) {
		try {
			write(write);
		}
		catch (SessionException ex) {
			assertThat(ex.kind()).isEqualTo(SessionException.Kind.UNAVAILABLE);
		}
	}

	private void prepare() {
		this.store.create(Sessions.empty(this.first));
		this.store.append(this.first, Events.append(Events.event("{\"author\":\"a\",\"invocationId\":\"h\"}")));
		save("a", 1, true);
		this.store.append(this.first, Events.append(Events.event("{\"author\":\"a\",\"invocationId\":\"i\"}")));
		save("a", 2, true);
		save("user:c", 2, true);
	}

	private void write(Write write) {
		write(write, ArtifactName.of(this.first, "a"));
	}

	private void write(Write write, ArtifactName name) {
		switch (write) {
			case SAVE_LARGE -> save("a", 3, true);
			case SAVE_EQUAL -> save("b", 2, true);
			case SAVE_SMALL -> save("b", 3, false);
			case DELETE -> this.artifacts.delete(name, null, ArtifactPrecondition.NONE);
			case DELETE_VERSION -> this.artifacts.delete(name, 0, ArtifactPrecondition.NONE);
			case DELETE_SESSION -> this.store.delete(this.first, Precondition.NONE);
			case FORK -> fork(this.first, "f");
			case REWIND -> rewind(this.first);
			case ERASE -> this.store.erase(this.first.user());
			case SWEEP -> {
				this.artifacts.delete(name, null, ArtifactPrecondition.NONE);
				this.blobs.run();
			}
		}
	}

	private void fork(SessionName source, String id) {
		this.history.fork(new ForkRequest(source, HistoryPoint.NEWEST, Sessions.sibling(source, id),
				SessionDetails.NONE, Precondition.NONE), EventWindow.NONE);
	}

	private void rewind(SessionName session) {
		this.history.rewind(session, new RewindRequest("i", null), Precondition.NONE);
	}

	private ArtifactVersion save(String name, int content, boolean large) {
		return save(ArtifactName.of(this.first, name), content(content, large));
	}

	private ArtifactVersion save(ArtifactName name, byte[] content) {
		try {
			return this.artifacts.save(name, FILE, new ByteArrayInputStream(content), ArtifactPrecondition.NONE, null)
				.version();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] content(int number, boolean large) {
		byte[] bytes = new byte[large ? LARGE : 10];
		Arrays.fill(bytes, (byte) number);
		return bytes;
	}

	@Test
	void leavesNothingOfAnUploadThatBreaksOff() {
		this.store.create(Sessions.empty(this.first));
		InputStream broken = new InputStream() {

			private int count;

			@Override
			public int read() throws IOException {
				if (this.count++ >= LARGE) {
					throw new IOException("The client has disconnected");
				}
				return 1;
			}

		};
		ArtifactName name = ArtifactName.of(this.first, "a");
		assertThat(catchIo(() -> this.artifacts.save(name, FILE, broken, ArtifactPrecondition.NONE, null))).isTrue();
		assertThat(this.artifacts.find(name, null)).isEmpty();
		this.blobs.run();
		ArtifactTables.assertSwept(this.jdbc, "after the upload");
	}

	private static boolean catchIo(Upload upload) {
		try {
			upload.run();
			return false;
		}
		catch (IOException ex) {
			return true;
		}
	}

	private void sweep() {
		this.jdbc.update("update keys_to_sweep set since = now() where user_key = ?", ScopeKey.of(this.first.user()));
		this.sessions.run();
		this.blobs.run();
	}

	/** What writes artifacts, or takes several transactions. */
	enum Write {

		SAVE_LARGE, SAVE_EQUAL, SAVE_SMALL, DELETE, DELETE_VERSION, DELETE_SESSION, FORK, REWIND, ERASE, SWEEP

	}

	@FunctionalInterface
	private interface Upload {

		void run() throws IOException;

	}

	/** The process ends. */
	private static final class Death extends Error {

		private static final long serialVersionUID = 1;

		Death() {
			super("", null, false, false);
		}

	}

}
