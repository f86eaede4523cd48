package dev.agentsessions.session.transfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.transfer.SessionImport.ImportConflictException;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.session.transfer.TransferService.Store.ImportChunk;
import dev.agentsessions.session.transfer.TransferService.Store.Summary;
import dev.agentsessions.state.StateScope;

/** The target of one imported session. */
interface ImportTarget {

	/** Adds keys of the own state that the session was created with. */
	void addInitial(Map<String, JsonText> state);

	/** Adds keys of its own state. */
	void add(Map<String, JsonText> state);

	/** Adds its next event. */
	void add(ImportedEvent event);

	/**
	 * Ends the session.
	 * @return whether the session is new
	 */
	boolean end();

	/** Drops an incomplete session. */
	void abandon();

	/**
	 * Compares an imported session with the existing one, and changes nothing. It is the
	 * same session if revision, create time and the id of the newest event agree: stored
	 * events do not change.
	 */
	final class ExistingSession implements ImportTarget {

		private final Summary stored;

		private @Nullable String lastEventId;

		/**
		 * Compares a session with the existing one.
		 * @param lastEventId the id of the newest event that was imported so far
		 */
		ExistingSession(ImportedSession session, Summary stored, @Nullable String lastEventId) {
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

	/**
	 * Stores an imported session. A small session is stored in one transaction. A larger
	 * one is stored in chunks, as it arrives, under a key that no session has yet, and
	 * the last transaction makes it a session. So neither memory nor any transaction
	 * grows with the session, and no transaction waits for the next line of a body.
	 *
	 * <p>
	 * If no initial state is sent, it consists of the keys of the state that no event
	 * sets.
	 */
	final class NewSession implements ImportTarget {

		/** Approximate maximum length of a chunk in characters. */
		static final long MAX_CHUNK_CHARS = 1 << 18;

		/** Maximum number of events in a chunk. */
		static final int MAX_CHUNK_EVENTS = 1000;

		/** Approximate overhead of a key or an event in characters. */
		private static final int OVERHEAD_CHARS = 200;

		private final TransferService.Store store;

		private final ResponseHeap memory;

		private final ImportedSession session;

		private final Set<String> keysWithoutEvent = new HashSet<>();

		private boolean hasInitialState;

		private Map<String, JsonText> initialState = new LinkedHashMap<>();

		private Map<String, JsonText> state = new LinkedHashMap<>();

		private List<ImportedEvent> events = new ArrayList<>();

		private long chunkChars;

		private @Nullable String lastEventId;

		private @Nullable UUID key;

		NewSession(TransferService.Store store, ResponseHeap memory, ImportedSession session) {
			this.store = store;
			this.memory = memory;
			this.session = session;
		}

		@Override
		public void addInitial(Map<String, JsonText> more) {
			InvalidArgument.check(Collections.disjoint(this.initialState.keySet(), more.keySet()), "initialState",
					"must have each key once");
			this.hasInitialState = true;
			add(this.initialState, more);
		}

		@Override
		public void add(Map<String, JsonText> more) {
			if (!this.hasInitialState) {
				this.memory.take(more.keySet().stream().mapToLong((name) -> name.length() + OVERHEAD_CHARS).sum());
				this.keysWithoutEvent.addAll(more.keySet());
			}
			add(this.state, more);
		}

		private void add(Map<String, JsonText> keys, Map<String, JsonText> more) {
			more.forEach((key, value) -> {
				keys.put(key, value);
				this.chunkChars += key.length() + value.length() + OVERHEAD_CHARS;
			});
			storeFullChunk();
		}

		@Override
		public void add(ImportedEvent event) {
			this.events.add(event);
			this.lastEventId = event.event().id();
			this.keysWithoutEvent.removeAll(event.event().delta().in(StateScope.SESSION).keySet());
			this.chunkChars += event.event().body().length()
					+ (1L + event.event().delta().changes().size()) * OVERHEAD_CHARS;
			storeFullChunk();
		}

		@Override
		public boolean end() {
			try {
				this.store.finish(this.session, this.key, takeChunk(), this.keysWithoutEvent);
				return true;
			}
			catch (SessionException.AlreadyExists ex) {
				abandon();
				Summary stored = this.store.summary(this.session.name()).orElseThrow(() -> ex);
				return new ImportTarget.ExistingSession(this.session, stored, this.lastEventId).end();
			}
		}

		@Override
		public void abandon() {
			if (this.key != null) {
				this.store.abandon(this.session.name().user(), this.key);
				this.key = null;
			}
		}

		private void storeFullChunk() {
			if (this.chunkChars >= MAX_CHUNK_CHARS || this.events.size() >= MAX_CHUNK_EVENTS) {
				if (this.key == null) {
					this.key = this.store.begin(this.session.name().user());
				}
				this.store.add(this.session.name(), this.key, takeChunk());
			}
		}

		private ImportChunk takeChunk() {
			ImportChunk chunk = new ImportChunk(this.initialState, this.state, this.events);
			this.initialState = new LinkedHashMap<>();
			this.state = new LinkedHashMap<>();
			this.events = new ArrayList<>();
			this.chunkChars = 0;
			return chunk;
		}

	}

}
