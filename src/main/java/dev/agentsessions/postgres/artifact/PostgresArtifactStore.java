package dev.agentsessions.postgres.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.postgres.artifact.ArtifactWrites.NextVersion;
import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactProperties;
import dev.agentsessions.session.artifact.ArtifactService.Store.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactService.Store.SavedArtifact;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.heap.ResponseHeap;

/** Stores artifacts in tables. */
@Component
class PostgresArtifactStore implements ArtifactService.Store {

	private final SessionKeys keys;

	private final Transactions transactions;

	private final ArtifactReads reads;

	private final ArtifactWrites writes;

	private final BlobWriter blobs;

	private final ArtifactProperties limits;

	private final ResponseHeap memory;

	PostgresArtifactStore(SessionKeys keys, Transactions transactions, ArtifactReads reads, ArtifactWrites writes,
			BlobWriter blobs, ArtifactProperties limits, ResponseHeap memory) {
		this.keys = keys;
		this.transactions = transactions;
		this.reads = reads;
		this.writes = writes;
		this.blobs = blobs;
		this.limits = limits;
		this.memory = memory;
	}

	@Override
	public SavedArtifact save(ArtifactName name, NewArtifact artifact, @Nullable InputStream bytes,
			ArtifactPrecondition precondition, @Nullable UUID id) throws IOException {
		try {
			return new SavedArtifact(saveNew(name, artifact, bytes, precondition, id), false);
		}
		catch (SavedBefore ex) {
			this.transactions.confirmReads();
			return new SavedArtifact(ex.version, true);
		}
	}

	private ArtifactVersion saveNew(ArtifactName name, NewArtifact artifact, @Nullable InputStream bytes,
			ArtifactPrecondition precondition, @Nullable UUID id) throws IOException {
		UUID userKey = ScopeKey.of(name.user());
		// A client learns before it sends many bytes that there is no such session
		StoredBlob blob = (bytes != null) ? this.blobs.receive(userKey, bytes, () -> read(name, (key) -> key)) : null;
		try {
			return with(name, (key) -> write(key, () -> insert(name, key, artifact, blob, precondition, id)));
		}
		catch (RuntimeException | Error ex) {
			this.blobs.giveUp(userKey, blob);
			throw ex;
		}
	}

	/** Calls work again if the session was deleted and made again. */
	<T> T with(ArtifactName name, Function<ArtifactKey, T> work) {
		SessionName session = name.owner().orElse(null);
		return (session == null) ? work.apply(ArtifactKey.of(name, ScopeKey.of(name.user())))
				: this.keys.with(session, (key) -> work.apply(ArtifactKey.of(name, key)));
	}

	private void checkSession(ArtifactKey key) {
		if (!key.isOfUser()) {
			this.reads.checkSession(key.scopeKey());
		}
	}

	/**
	 * Runs a transaction that inserts a version. Others may store equal bytes at the same
	 * time, which the next attempt finds, unless they are deleted again.
	 */
	<T> T write(ArtifactKey key, Supplier<T> statements) {
		for (int attempt = 0; attempt < 3; attempt++) {
			try {
				return this.transactions.writeLimitingLockWaits(key.scopeKey(), statements);
			}
			catch (DuplicateKeyException ex) {
				continue;
			}
		}
		throw new SessionException.Unavailable("Others save and delete equal bytes all the time. Please retry.");
	}

	private ArtifactVersion insert(ArtifactName name, ArtifactKey key, NewArtifact artifact, @Nullable StoredBlob blob,
			ArtifactPrecondition precondition, @Nullable UUID id) {
		long size = (blob != null) ? blob.size() : 0;
		NextVersion next = this.writes.nextVersion(key, (blob != null) ? blob.digest() : null, size, id);
		if (next.same() != null) {
			this.reads.find(name, key, next.same()).ifPresent((same) -> refuse(same, artifact, next.equal()));
		}
		if (!precondition.equals(ArtifactPrecondition.NONE)) {
			precondition.check(this.reads.find(name, key, null).orElse(null));
		}
		checkLimits(key, next, key.counted(artifact, size));
		StoredBlob stored = (blob != null) ? this.blobs.complete(key.userKey(), blob, next.equal()) : null;
		Instant createTime = this.writes.insert(key, next.number(), next.afterSeq(), null, artifact, stored, id);
		return new ArtifactVersion(name, next.number(), next.afterSeq(), createTime, size, artifact,
				ArtifactReads.content(key.userKey(), stored));
	}

	/** Ends a transaction that has taken a number. */
	private static void refuse(ArtifactVersion same, NewArtifact artifact, @Nullable UUID blobKey) {
		UUID stored = (same.content() != null) ? same.content().blobKey() : null;
		if (!same.artifact().equals(artifact) || !Objects.equals(stored, blobKey)) {
			throw new ArtifactException.OtherContent(same.version());
		}
		throw new SavedBefore(same);
	}

	/**
	 * Checks that there is room for a version.
	 * @param size what it counts, in bytes
	 * @throws ArtifactException.QuotaExceeded if not
	 */
	void checkLimits(ArtifactKey key, NextVersion next, long size) {
		if (next.number() >= this.limits.versions() && this.writes.count(key) >= this.limits.versions()) {
			throw new ArtifactException.QuotaExceeded("The artifact", this.limits.versions(), "versions",
					"agent-sessions.artifacts.versions");
		}
		if (!key.isOfUser()) {
			checkQuota("session", next.scopeSize() + size, this.limits.sessionQuota());
		}
		checkQuota("user", next.userSize() + size, this.limits.userQuota());
	}

	private static void checkQuota(String owner, long size, DataSize quota) {
		if (size > quota.toBytes()) {
			throw new ArtifactException.QuotaExceeded("The artifacts of a " + owner, quota.toBytes(), "bytes",
					"agent-sessions.artifacts." + owner + "-quota");
		}
	}

	@Override
	public Optional<ArtifactVersion> find(ArtifactName name, @Nullable Integer version) {
		return read(name, (key) -> this.reads.find(name, key, version));
	}

	@Override
	public List<ArtifactVersion> versions(ArtifactName name) {
		return read(name, (key) -> this.reads.versions(name, key));
	}

	private <T> T read(ArtifactName name, Function<ArtifactKey, T> read) {
		return with(name, (key) -> this.transactions.read(() -> {
			checkSession(key);
			return read.apply(key);
		}));
	}

	@Override
	public List<ArtifactVersion> newest(StateOwner user, @Nullable SessionName session, String after, int limit) {
		if (session == null) {
			return this.transactions.statement(() -> this.reads.newest(user, null, ScopeKey.of(user), after, limit));
		}
		return this.keys.with(session, (key) -> this.transactions.read(() -> {
			this.reads.checkSession(key);
			return this.reads.newest(user, session, key, after, limit);
		}));
	}

	@Override
	public int delete(ArtifactName name, @Nullable Integer version, ArtifactPrecondition precondition) {
		return with(name, (key) -> this.transactions.write(key.scopeKey(), () -> {
			checkSession(key);
			if (!this.writes.lockName(key)) {
				precondition.check(null);
				return 0;
			}
			precondition.check(this.reads.find(name, key, null).orElse(null));
			return this.writes.delete(key, version);
		}));
	}

	@Override
	public byte[] read(ArtifactVersion version, long position) {
		ArtifactContent content = Objects.requireNonNull(version.content());
		int number = (int) (position / BlobWriter.CHUNK_BYTES);
		this.memory
			.take(Math.min(ArtifactReads.MAX_READ_BYTES, version.size() - (long) number * BlobWriter.CHUNK_BYTES));
		byte[] chunk = this.transactions
			.statement(() -> CountingJdbcTemplate.uncounted(() -> this.reads.read(content, number)))
			.orElseThrow(ArtifactException.NotFound::new);
		int first = (int) (position % BlobWriter.CHUNK_BYTES);
		return (first == 0) ? chunk : Arrays.copyOfRange(chunk, first, chunk.length);
	}

	/** The same save has stored a version before. */
	private static final class SavedBefore extends RuntimeException {

		private final transient ArtifactVersion version;

		private SavedBefore(ArtifactVersion version) {
			super("The save was repeated", null, false, false);
			this.version = version;
		}

	}

}
