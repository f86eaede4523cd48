package dev.agentsessions.postgres.artifact;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactReads.ArtifactKey;
import dev.agentsessions.postgres.artifact.ArtifactWrites.NextVersion;
import dev.agentsessions.postgres.artifact.BlobWriter.BlobUpload;
import dev.agentsessions.postgres.artifact.BlobWriter.StoredBlob;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.transfer.ArtifactTransferStore;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ArtifactUpload;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;

/**
 * Exports and imports artifacts. An import stores a version as a save does, but with its
 * own number and time, and only if the number is free.
 */
@Component
class PostgresArtifactTransferStore implements ArtifactTransferStore {

	private static final int MAX_VERSIONS = 50;

	private static final String VERSIONS = ArtifactReads.SELECT_OF_SCOPE + """
			 and (name, version) > (?, ?) and after_seq <= ? and (version.blob_key is null or digest is not null)
			order by name, version limit ?
			""";

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final PostgresArtifactStore store;

	private final ArtifactReads reads;

	private final ArtifactWrites writes;

	private final BlobWriter blobs;

	PostgresArtifactTransferStore(JdbcTemplate jdbc, Transactions transactions, PostgresArtifactStore store,
			ArtifactReads reads, ArtifactWrites writes, BlobWriter blobs) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.store = store;
		this.reads = reads;
		this.writes = writes;
		this.blobs = blobs;
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
			return this.jdbc.query(VERSIONS, (row, number) -> artifact(row, user, sessionName), userKey, scopeKey, name,
					version, maxSeq, MAX_VERSIONS);
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
		Optional<ArtifactVersion> stored = this.store.find(version.name(), version.version());
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
		return this.store.with(artifact.version().name(),
				(key) -> this.store.write(key, () -> add(key, artifact, blob)));
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
		this.store.checkLimits(key, next, key.counted(version.artifact(), version.size()));
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

}
