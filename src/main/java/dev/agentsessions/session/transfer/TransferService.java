package dev.agentsessions.session.transfer;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.heap.ResponseHeap;

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

	TransferService(TransferStore store, AccessPolicy access, Limits limits, ResponseHeap memory) {
		this.store = store;
		this.access = access;
		this.limits = limits;
		this.memory = memory;
	}

	/**
	 * Exports the sessions and the shared state of a user, or of an app and all its users
	 * that have a session. Expired sessions are left out.
	 */
	public void export(StateOwner owner, ExportWriter target) {
		String userId = owner.userId();
		this.access.check((userId != null) ? Access.READ : Access.ADMINISTER, owner);
		target.begin();
		if (userId != null) {
			exportUser(owner.appName(), userId, target);
		}
		else {
			exportApp(owner, target);
		}
		target.end();
	}

	/**
	 * Exports one session, without shared state. It is imported as a session of its user.
	 * @throws SessionException.NotFound if there is no such session
	 */
	public void export(SessionKey key, ExportWriter target) {
		this.access.check(Access.READ, key);
		Session session = this.store.find(key).orElseThrow(SessionException.NotFound::new);
		Map<String, JsonText> initialState = this.store.initialState(session.birth());
		Secrets secrets = this.access.secrets();
		target.begin();
		target.user(key.userId());
		target.session(secrets.of(session), secrets.of(initialState));
		target.end();
	}

	private void exportApp(StateOwner app, ExportWriter target) {
		Map<String, JsonText> state = this.store.state(app);
		if (!state.isEmpty()) {
			target.appState(this.access.secrets().of(state));
		}
		Optional<String> user = this.store.nextUser(app.appName(), null);
		while (user.isPresent()) {
			exportUser(app.appName(), user.get(), target);
			user = this.store.nextUser(app.appName(), user.get());
		}
	}

	private void exportUser(String appName, String userId, ExportWriter target) {
		StateOwner user = new StateOwner(appName, userId);
		target.user(userId);
		Map<String, JsonText> state = this.store.state(user);
		if (!state.isEmpty()) {
			target.userState(this.access.secrets().of(state));
		}
		List<String> ids = this.store.sessionIds(user, "");
		while (!ids.isEmpty()) {
			ids.forEach((id) -> exportSession(new SessionKey(appName, userId, id), target));
			ids = this.store.sessionIds(user, ids.get(ids.size() - 1));
		}
	}

	/**
	 * The previous session has been written when the next one is read, so its memory is
	 * given back.
	 */
	private void exportSession(SessionKey key, ExportWriter target) {
		this.memory.continueFrom(0);
		this.store.find(key).ifPresent((session) -> exportSession(session, target));
	}

	private void exportSession(Session session, ExportWriter target) {
		Map<String, JsonText> initialState;
		try {
			initialState = this.store.initialState(session.birth());
		}
		catch (SessionException.NotFound ex) {
			// Deleted meanwhile
			return;
		}
		Secrets secrets = this.access.secrets();
		target.session(secrets.of(session), secrets.of(initialState));
	}

	/**
	 * Begins an import into a user, or into an app with all its users.
	 * @throws dev.agentsessions.session.AccessException.Forbidden if the caller may not
	 * do that
	 */
	public SessionImport startImport(StateOwner owner) {
		this.access.check((owner.userId() != null) ? Access.WRITE : Access.ADMINISTER, owner);
		return new SessionImport(this.store, this.access, this.limits, this.memory, owner, this.store.now());
	}

}
