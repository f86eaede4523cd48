package dev.agentsessions.session.transfer;

import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactReference;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactProperties;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ArtifactUpload;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;

/**
 * Imports versions of artifacts one after the other, each with its bytes. A version is
 * stored as a whole or not at all; an existing one stays as it is.
 */
public final class ArtifactImport {

	private final ArtifactTransferStore store;

	private final long maxBytes;

	private @Nullable String appBefore;

	private @Nullable String userBefore;

	private @Nullable TransferredArtifact open;

	private @Nullable ArtifactUpload upload;

	/** The number of bytes of the open version that are still to be added. */
	private long missing;

	ArtifactImport(ArtifactTransferStore store, ArtifactProperties limits) {
		this.store = store;
		this.maxBytes = limits.maxSize().toBytes();
	}

	/** Says whose artifacts these were, as {@link SessionImport#from}. */
	void from(@Nullable String appName, @Nullable String userId) {
		this.appBefore = appName;
		this.userBefore = userId;
	}

	/**
	 * Begins a version.
	 * @param withBytes whether its bytes follow; if not, the user must have equal bytes
	 * @return whether it did not exist before; empty if its bytes are to be added
	 * @throws SessionException if it breaks a rule
	 * @throws ImportConflictException if another version has its number
	 */
	public Optional<Boolean> begin(TransferredArtifact exported, boolean withBytes) {
		long size = exported.version().size();
		if (size > this.maxBytes) {
			throw new SessionException.TooLarge("The version", this.maxBytes, "bytes",
					"agent-sessions.artifacts.max-size");
		}
		TransferredArtifact artifact = moved(exported);
		if (this.store.has(artifact)) {
			return Optional.of(false);
		}
		if (artifact.digest() == null || !withBytes && size > 0) {
			return Optional.of(this.store.add(artifact, null));
		}
		this.open = artifact;
		this.missing = size;
		this.upload = this.store.begin(artifact.version().name().user());
		return (size > 0) ? Optional.empty() : add(new byte[0]);
	}

	/**
	 * Adds bytes of the version, which is stored with its last byte.
	 * @return whether it did not exist before; empty if more bytes are to be added
	 * @throws SessionException if they break a rule
	 * @throws ImportConflictException if another version has its number
	 */
	public Optional<Boolean> add(byte[] bytes) {
		TransferredArtifact artifact = Objects.requireNonNull(this.open);
		ArtifactUpload received = Objects.requireNonNull(this.upload);
		this.missing -= bytes.length;
		InvalidArgument.check(this.missing >= 0, "size", "must be the number of the bytes");
		received.add(bytes);
		if (this.missing > 0) {
			return Optional.empty();
		}
		boolean created = this.store.add(artifact, received);
		if (created) {
			this.upload = null;
		}
		abandon();
		return Optional.of(created);
	}

	/** Returns whether a version has begun whose bytes have not ended. */
	public boolean isOpen() {
		return this.open != null;
	}

	/** Drops a version whose bytes have not ended. */
	public void abandon() {
		this.open = null;
		if (this.upload != null) {
			this.upload.giveUp();
			this.upload = null;
		}
	}

	/** A reference to another artifact of the user leads to the imported one. */
	private TransferredArtifact moved(TransferredArtifact exported) {
		NewArtifact artifact = exported.version().artifact();
		String uri = artifact.fileUri();
		if (uri == null || !ArtifactReference.isReference(uri)) {
			return exported;
		}
		StateOwner now = exported.version().name().user();
		StateOwner before = new StateOwner(Objects.requireNonNullElse(this.appBefore, now.appName()),
				(this.userBefore != null) ? this.userBefore : now.userId());
		return exported.with(new NewArtifact(artifact.kind(), artifact.mimeType(), artifact.displayName(),
				ArtifactReference.moved(uri, before, now), artifact.customMetadata()));
	}

}
