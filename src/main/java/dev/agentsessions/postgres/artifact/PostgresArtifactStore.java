package dev.agentsessions.postgres.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.postgres.CountingJdbcTemplate;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.postgres.artifact.ArtifactWrites.NextVersion;
import dev.agentsessions.postgres.artifact.BlobWriter.BlobUpload;
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
import dev.agentsessions.session.transfer.ArtifactTransferStore;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ArtifactUpload;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;

/**
 * Stores artifacts in tables, and exports and imports them. An import stores a version as
 * a save does, but with its own number and time, and only if the number is free.
 */
@Component
class PostgresArtifactStore implements ArtifactService.Store, ArtifactTransferStore {

	private static final int MAX_EXPORTED = 50;

	private static final String EXPORTED = ArtifactReads.SELECT_OF_SCOPE + """
			 and (name, version) > (?, ?) and after_seq <= ? and (version.blob_key is null or digest is not null)
			order by name, version limit ?
			""";

	private final JdbcTemplate jdbc;

	private final SessionKeys keys;

	private final Transactions transactions;

	private final ArtifactReads reads;

	private final ArtifactWrites writes;

	private final BlobWriter blobs;

	private final ArtifactProperties limits;

	private final ResponseHeap memory;

	PostgresArtifactStore(JdbcTemplate jdbc, SessionKeys keys, Transactions transactions, ArtifactReads reads,
			ArtifactWrites writes, BlobWriter blobs, ArtifactProperties limits, ResponseHeap memory) {
		this.jdbc = jdbc;
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
	private <T> T with(ArtifactName name, Function<ArtifactKey, T> work) {
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
	private <T> T write(ArtifactKey key, Supplier<T> statements) {
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
	private void checkLimits(ArtifactKey key, NextVersion next, long size) {
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

	@Override
	public List<TransferredArtifact> versions(StateOwner user, @Nullable ExportedSession session,
			@Nullable TransferredArtifact after) {
		UUID userKey = ScopeKey.of(user);
		String name = (after != null) ? after.version().name().name() : "";
		int version = (after != null) ? after.version().version() : 0;
		SessionName sessionName = (session != null) ? session.name() : null;
		UUID scopeKey = (session != null) ? session.sessionKey() : userKey;
		long maxSeq = (session != null) ? session.revision() : Long.MAX_VALUE;
		return this.transactions.read(() -> {
			if (session != null) {
				this.reads.checkSession(scopeKey);
			}
			return this.jdbc.query(EXPORTED, (row, number) -> artifact(row, user, sessionName), userKey, scopeKey, name,
					version, maxSeq, MAX_EXPORTED);
		});
	}

	private static TransferredArtifact artifact(ResultSet row, StateOwner user, @Nullable SessionName session)
			throws SQLException {
		ArtifactVersion version = ArtifactReads.version(row, new ArtifactName(user, session, row.getString("name")));
		return new TransferredArtifact(version, (version.content() != null) ? version.content().digest() : null);
	}

	@Override
	public boolean has(TransferredArtifact artifact) {
		ArtifactVersion version = artifact.version();
		Optional<ArtifactVersion> stored = find(version.name(), version.version());
		stored.ifPresent(artifact::checkSame);
		return stored.isPresent();
	}

	@Override
	public ArtifactUpload begin(StateOwner user) {
		return new BlobUpload(this.blobs, ScopeKey.of(user));
	}

	@Override
	public boolean add(TransferredArtifact artifact, @Nullable ArtifactUpload bytes) {
		StoredBlob blob = (bytes != null) ? ((BlobUpload) bytes).end() : null;
		if (blob != null && !blob.digestText().equals(artifact.digest())) {
			throw new SessionException.InvalidArgument("digest", "must be that of the bytes, " + blob.digestText());
		}
		return with(artifact.version().name(), (key) -> write(key, () -> add(key, artifact, blob)));
	}

	private boolean add(ArtifactKey key, TransferredArtifact artifact, @Nullable StoredBlob blob) {
		ArtifactVersion version = artifact.version();
		byte[] digest = (artifact.digest() != null) ? Base64.getUrlDecoder().decode(artifact.digest()) : null;
		NextVersion next = this.writes.useVersion(key, version.version(), digest, version.size());
		Optional<ArtifactVersion> stored = this.reads.find(version.name(), key, version.version());
		if (stored.isPresent()) {
			artifact.checkSame(stored.get());
			return false;
		}
		checkLimits(key, next, key.counted(version.artifact(), version.size()));
		if (digest != null && blob == null && next.equal() == null) {
			throw new SessionException.InvalidArgument("digest",
					"must be that of bytes that the user has: the export has none");
		}
		StoredBlob bytes = (blob != null) ? this.blobs.complete(key.userKey(), blob, next.equal())
				: StoredBlob.of(next.equal(), digest, version.size());
		this.writes.insert(key, version.version(), version.afterSeq(), version.createTime(), version.artifact(), bytes,
				null);
		return true;
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
