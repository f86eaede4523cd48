package dev.agentsessions.session.transfer;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactStore;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;

/** Exports artifacts. Each block of bytes is forgotten when it is written. */
@Component
class ArtifactExport {

	/** A block of bytes, and its text. */
	private static final long BLOCK_MEMORY = 2 << 20;

	private final ArtifactTransferStore store;

	private final ArtifactStore artifacts;

	private final ResponseHeap memory;

	ArtifactExport(ArtifactTransferStore store, ArtifactStore artifacts, ResponseHeap memory) {
		this.store = store;
		this.artifacts = artifacts;
		this.memory = memory;
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
		target.artifact(artifact, withBytes);
		ArtifactContent content = artifact.version().content();
		if (!withBytes || content == null) {
			return;
		}
		try {
			long position = 0;
			while (position < artifact.version().size()) {
				this.memory.continueFrom(0);
				this.memory.take(BLOCK_MEMORY);
				byte[] block = this.artifacts.read(content, position);
				target.artifactBytes(block);
				position += block.length;
			}
		}
		catch (ArtifactException.NotFound ex) {
			target.artifactDeleted();
		}
	}

}
