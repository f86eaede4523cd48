package dev.agentsessions.session.transfer;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.TransferService.ArtifactTransfer;
import dev.agentsessions.session.transfer.TransferService.ExportWriter;

/** Exports artifacts. Each block of bytes is forgotten when it is written. */
@Component
class ArtifactExport {

	/** The text of a block of bytes. */
	private static final long TEXT_MEMORY = 1 << 20;

	private final ArtifactTransferStore store;

	private final ArtifactService.Store artifacts;

	private final ResponseHeap memory;

	private final AccessPolicy access;

	ArtifactExport(ArtifactTransferStore store, ArtifactService.Store artifacts, ResponseHeap memory,
			AccessPolicy access) {
		this.store = store;
		this.artifacts = artifacts;
		this.memory = memory;
		this.access = access;
	}

	/**
	 * Exports the artifacts of a session, none if it is deleted meanwhile.
	 * @param session the session; {@code null} for the artifacts of the user
	 */
	void write(StateOwner user, @Nullable ExportedSession session, ArtifactTransfer content, ExportWriter target) {
		if (content == ArtifactTransfer.NONE) {
			return;
		}
		try {
			List<TransferredArtifact> next = this.store.versions(user, session, null);
			while (!next.isEmpty()) {
				next.forEach((artifact) -> write(artifact, content == ArtifactTransfer.INLINE, target));
				next = this.store.versions(user, session, next.get(next.size() - 1));
			}
		}
		catch (SessionException.NotFound ex) {
			// Deleted meanwhile
		}
	}

	private void write(TransferredArtifact artifact, boolean withBytes, ExportWriter target) {
		target.artifact(artifact.seen(this.access.secrets()), withBytes);
		ArtifactVersion version = artifact.version();
		if (!withBytes || version.content() == null) {
			return;
		}
		try {
			long position = 0;
			while (position < version.size()) {
				this.memory.continueFrom(0);
				position += writeBlock(version, position, target);
			}
		}
		catch (ArtifactException.NotFound ex) {
			target.artifactDeleted();
		}
	}

	private int writeBlock(ArtifactVersion version, long position, ExportWriter target) {
		this.memory.take(TEXT_MEMORY);
		byte[] block = this.artifacts.read(version, position);
		target.artifactBytes(block);
		return block.length;
	}

}
