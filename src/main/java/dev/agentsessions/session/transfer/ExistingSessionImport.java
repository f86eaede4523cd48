package dev.agentsessions.session.transfer;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.transfer.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.Summary;

/**
 * Compares an imported session with the existing one, and changes nothing. It is the same
 * session if revision, create time and the id of the newest event agree: stored events do
 * not change.
 */
final class ExistingSessionImport implements ImportTarget {

	private final Summary stored;

	private @Nullable String lastEventId;

	/**
	 * Compares a session with the existing one.
	 * @param lastEventId the id of the newest event that was imported so far
	 */
	ExistingSessionImport(ImportedSession session, Summary stored, @Nullable String lastEventId) {
		this.stored = stored;
		this.lastEventId = lastEventId;
		check(session.revision() == stored.revision() && session.createTime().equals(stored.createTime()));
	}

	@Override
	public void addInitial(Map<String, JsonText> state) {
		// Follows from the events that are compared.
	}

	@Override
	public void add(Map<String, JsonText> state) {
		// Follows from the events that are compared.
	}

	@Override
	public void add(ImportedEvent event) {
		this.lastEventId = event.event().id();
	}

	@Override
	public boolean end() {
		check(Objects.equals(this.stored.lastEventId(), this.lastEventId));
		return false;
	}

	@Override
	public void abandon() {
		// Nothing was changed.
	}

	private void check(boolean same) {
		if (!same) {
			throw new ImportConflictException("Another session has the name: it has %d events and was created at %s"
				.formatted(this.stored.revision(), this.stored.createTime()));
		}
	}

}
