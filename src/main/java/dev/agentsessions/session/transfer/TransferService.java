package dev.agentsessions.session.transfer;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactProperties;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.transfer.ArtifactTransferStore.ExportedSession;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;

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

	private final Store store;

	private final AccessPolicy access;

	private final Limits limits;

	private final ResponseHeap memory;

	private final ArtifactExport artifacts;

	private final ArtifactTransferStore artifactStore;

	private final ArtifactProperties artifactLimits;

	TransferService(Store store, AccessPolicy access, Limits limits, ResponseHeap memory, ArtifactExport artifacts,
			ArtifactTransferStore artifactStore, ArtifactProperties artifactLimits) {
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
		this.access.checkSessions(Access.READ, owner);
		target.begin();
		if (owner.userId() != null) {
			exportUser(owner, content, target);
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
	public void export(SessionName name, ExportWriter target) {
		this.access.check(Access.READ, name);
		target.begin();
		target.user(name.userId());
		ExportedSession exported = this.store.find(name)
			.map((session) -> exported(session, target))
			.orElseThrow(SessionException.NotFound::new);
		this.artifacts.write(name.user(), exported, ArtifactTransfer.INLINE, target);
		target.end();
	}

	private void exportApp(StateOwner app, ArtifactTransfer content, ExportWriter target) {
		Map<String, JsonText> state = this.store.state(app);
		if (!state.isEmpty()) {
			target.appState(this.access.secrets().of(state));
		}
		Optional<String> user = this.store.nextUser(app.appName(), null);
		while (user.isPresent()) {
			exportUser(new StateOwner(app.appName(), user.get()), content, target);
			user = this.store.nextUser(app.appName(), user.get());
		}
	}

	private void exportUser(StateOwner user, ArtifactTransfer content, ExportWriter target) {
		target.user(Objects.requireNonNull(user.userId()));
		Map<String, JsonText> state = this.store.state(user);
		if (!state.isEmpty()) {
			target.userState(this.access.secrets().of(state));
		}
		List<String> ids = this.store.sessionIds(user, "");
		while (!ids.isEmpty()) {
			ids.forEach((id) -> exportSession(new SessionName(user, id), content, target));
			ids = this.store.sessionIds(user, ids.get(ids.size() - 1));
		}
		this.artifacts.write(user, null, content, target);
	}

	/**
	 * The previous session has been written when the next one is read, so its memory is
	 * given back.
	 */
	private void exportSession(SessionName name, ArtifactTransfer content, ExportWriter target) {
		this.memory.continueFrom(0);
		this.store.find(name)
			.map((session) -> exported(session, target))
			.ifPresent((session) -> this.artifacts.write(name.user(), session, content, target));
	}

	/** Exports a session, which may be deleted meanwhile. */
	private @Nullable ExportedSession exported(Session session, ExportWriter target) {
		Map<String, JsonText> initialState;
		try {
			initialState = this.store.initialState(session.name(), session.sessionKey());
		}
		catch (SessionException.NotFound ex) {
			return null;
		}
		Secrets secrets = this.access.secrets();
		target.session(secrets.of(session), secrets.of(initialState));
		return new ExportedSession(session.name(), session.sessionKey(), session.revision());
	}

	/**
	 * Begins an import into a user, or into an app with all its users.
	 * @throws dev.agentsessions.session.AccessPolicy.AccessException.Forbidden if the
	 * caller may not do that
	 */
	public SessionImport startImport(StateOwner owner) {
		this.access.checkSessions(Access.WRITE, owner);
		return new SessionImport(this.store, this.access, this.limits, this.memory, owner, this.store.now(owner),
				new ArtifactImport(this.artifactStore, this.artifactLimits));
	}

	/**
	 * Exports and imports sessions with their times: the part of the contract of a store
	 * that only transfers need. The guarantees of {@link SessionService.Store} hold here,
	 * too.
	 */
	public interface Store {

		/**
		 * Returns the time of the store, which decides when sessions expire.
		 * @param owner the user or the app whose sessions these are
		 */
		Instant now(StateOwner owner);

		/**
		 * Returns the user of an app that follows another one, in an order that is the
		 * same wherever the same users are. Only users that have a session count.
		 * @param after the user before, {@code null} for the first one
		 */
		Optional<String> nextUser(String appName, @Nullable String after);

		/**
		 * Returns some ids of sessions of a user, in their order.
		 * @param after the id before, blank for the first ones
		 */
		List<String> sessionIds(StateOwner user, String after);

		/** Reads a session with all its events and only its own state. */
		Optional<Session> find(SessionName name);

		/**
		 * Reads the own state with which a session began.
		 * @param sessionKey which session it is
		 * @throws SessionException.NotFound if it is gone
		 */
		Map<String, JsonText> initialState(SessionName name, UUID sessionKey);

		/**
		 * Returns values to compare a stored session with an imported one; empty if there
		 * is none.
		 */
		Optional<Summary> summary(SessionName name);

		/**
		 * Waits until everything that was read before is stored as safely as a write. A
		 * request that finds its work done already has to wait for this.
		 * @param owner the user or the app of what was read
		 */
		void confirmReads(StateOwner owner);

		/** Reads shared state, keys without prefix. */
		Map<String, JsonText> state(StateOwner owner);

		/**
		 * Adds keys to shared state, but changes no existing one.
		 * @return the values of the existing keys
		 */
		Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values);

		/**
		 * Begins to store a session that is too large to be stored at once. No request
		 * finds it before it is finished. If that never happens, the store removes it.
		 * @return the key of the session, for the next calls
		 */
		UUID begin(StateOwner user);

		/**
		 * Stores the next chunk of a session that was begun.
		 * @throws SessionException.InvalidArgument if two events have the same id
		 * @throws ImportConflictException if the user was erased meanwhile, or an hour
		 * has passed since the last call
		 */
		void add(SessionName name, UUID sessionKey, ImportChunk chunk);

		/**
		 * Stores the last chunk, and makes the data a session.
		 * @param sessionKey the result of {@link #begin}; {@code null} if the chunk is
		 * the whole session
		 * @param initialKeys keys of its own state whose values are also initial state,
		 * besides the initial state of the chunks
		 * @throws SessionException.AlreadyExists if there is one with its name
		 * @throws SessionException.InvalidArgument if two events have the same id
		 * @throws ImportConflictException if the user was erased meanwhile, or an hour
		 * has passed since the last call
		 */
		void finish(ImportedSession session, @Nullable UUID sessionKey, ImportChunk chunk,
				Collection<String> initialKeys);

		/** Removes the data of a session that was begun and is not finished. */
		void abandon(StateOwner user, UUID sessionKey);

		/**
		 * Identifies a session among others with the same name.
		 *
		 * @param revision the number of its events
		 * @param createTime when it was created
		 * @param lastEventId the id of its newest event; {@code null} if it has none
		 */
		record Summary(long revision, Instant createTime, @Nullable String lastEventId) {
		}

		/**
		 * The part of an imported session that is stored at once.
		 *
		 * @param initialState keys of the own state that it was created with
		 * @param state keys of its own state
		 * @param events events, in their order
		 */
		record ImportChunk(Map<String, JsonText> initialState, Map<String, JsonText> state,
				List<ImportedEvent> events) {

		}

	}

	/** What an export has of artifacts. */
	public enum ArtifactTransfer {

		/** All versions with their bytes. */
		INLINE,

		/** All versions, but only the digests of their bytes. */
		REFERENCE,

		/** Nothing. */
		NONE

	}

	/** Writes an export, in the order of an import. */
	public interface ExportWriter {

		/**
		 * Begins the export. Until then nothing has been read, and the export may still
		 * be refused.
		 */
		void begin();

		/**
		 * Writes the state that all users of the app share, keys without prefix; not
		 * called if there is none.
		 */
		void appState(Map<String, JsonText> state);

		/** Begins a user; all that follows belongs to this user. */
		void user(String userId);

		/**
		 * Writes the state that the sessions of the user share, keys without prefix; not
		 * called if there is none.
		 */
		void userState(Map<String, JsonText> state);

		/**
		 * Writes a session with all its events and only its own state.
		 * @param initialState the own state that it was created with
		 * @throws SessionException.NotFound if it is deleted while its events are read
		 */
		void session(Session session, Map<String, JsonText> initialState);

		/** Writes a version of an artifact of the session or the user before. */
		void artifact(TransferredArtifact artifact, boolean withBytes);

		/** Writes the next bytes of the version before. */
		void artifactBytes(byte[] bytes);

		/** Says that the version before was deleted while its bytes were read. */
		void artifactDeleted();

		/** Ends the export. */
		void end();

	}

}
