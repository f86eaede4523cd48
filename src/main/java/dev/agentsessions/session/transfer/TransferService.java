package dev.agentsessions.session.transfer;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactProperties;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;

/**
 * Exports sessions to other stores and imports them again, with ids, times and order.
 *
 * <p>
 * Each session of an export is as it was at one moment, and so is each shared state; an
 * export as a whole is not. Sessions that are deleted meanwhile are left out, and
 * sessions that are created meanwhile may be missing.
 */
@Service
public class TransferService {

	private final TransferStore store;

	private final AccessPolicy access;

	private final Limits limits;

	private final ResponseHeap memory;

	private final ArtifactExport artifacts;

	private final ArtifactTransferStore artifactStore;

	private final ArtifactProperties artifactLimits;

	TransferService(TransferStore store, AccessPolicy access, Limits limits, ResponseHeap memory,
			ArtifactExport artifacts, ArtifactTransferStore artifactStore, ArtifactProperties artifactLimits) {
		this.store = store;
		this.access = access;
		this.limits = limits;
		this.memory = memory;
		this.artifacts = artifacts;
		this.artifactStore = artifactStore;
		this.artifactLimits = artifactLimits;
	}

	/**
	 * Exports the sessions and the shared state of a user, or of an app and all its users
	 * that have a session. Expired sessions are left out.
	 */
	public void export(StateOwner owner, ArtifactTransfer content, ExportWriter target) {
		String userId = owner.userId();
		this.access.check((userId != null) ? Access.READ : Access.ADMINISTER, owner);
		target.begin();
		if (userId != null) {
			exportUser(owner.appName(), userId, content, target);
		}
		else {
			exportApp(owner, content, target);
		}
		target.end();
	}

	/**
	 * Exports one session with its artifacts, without shared state. It is imported as a
	 * session of its user.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public void export(SessionKey key, ExportWriter target) {
		this.access.check(Access.READ, key);
		target.begin();
		target.user(key.userId());
		ExportedSession exported = this.store.find(key)
			.map((session) -> exported(session, target))
			.orElseThrow(SessionException.NotFound::new);
		this.artifacts.write(key.user(), exported, ArtifactTransfer.INLINE, target);
		target.end();
	}

	private void exportApp(StateOwner app, ArtifactTransfer content, ExportWriter target) {
		Map<String, JsonText> state = this.store.state(app);
		if (!state.isEmpty()) {
			target.appState(this.access.secrets().of(state));
		}
		Optional<String> user = this.store.nextUser(app.appName(), null);
		while (user.isPresent()) {
			exportUser(app.appName(), user.get(), content, target);
			user = this.store.nextUser(app.appName(), user.get());
		}
	}

	private void exportUser(String appName, String userId, ArtifactTransfer content, ExportWriter target) {
		StateOwner user = new StateOwner(appName, userId);
		target.user(userId);
		Map<String, JsonText> state = this.store.state(user);
		if (!state.isEmpty()) {
			target.userState(this.access.secrets().of(state));
		}
		List<String> ids = this.store.sessionIds(user, "");
		while (!ids.isEmpty()) {
			ids.forEach((id) -> exportSession(new SessionKey(user, id), content, target));
			ids = this.store.sessionIds(user, ids.get(ids.size() - 1));
		}
		this.artifacts.write(user, null, content, target);
	}

	/**
	 * The previous session has been written when the next one is read, so its memory is
	 * given back.
	 */
	private void exportSession(SessionKey key, ArtifactTransfer content, ExportWriter target) {
		this.memory.continueFrom(0);
		this.store.find(key)
			.map((session) -> exported(session, target))
			.ifPresent((session) -> this.artifacts.write(key.user(), session, content, target));
	}

	/** Exports a session, which may be deleted meanwhile. */
	private @Nullable ExportedSession exported(Session session, ExportWriter target) {
		Map<String, JsonText> initialState;
		try {
			initialState = this.store.initialState(session.birth());
		}
		catch (SessionException.NotFound ex) {
			return null;
		}
		Secrets secrets = this.access.secrets();
		target.session(secrets.of(session), secrets.of(initialState));
		return new ExportedSession(session.key(), session.birth(), session.revision());
	}

	/**
	 * Begins an import into a user, or into an app with all its users.
	 * @throws dev.agentsessions.session.AccessException.Forbidden if the caller may not
	 * do that
	 */
	public SessionImport startImport(StateOwner owner) {
		this.access.check((owner.userId() != null) ? Access.WRITE : Access.ADMINISTER, owner);
		return new SessionImport(this.store, this.access, this.limits, this.memory, owner, this.store.now(),
				new ArtifactImport(this.artifactStore, this.artifactLimits));
	}

}
