package dev.agentsessions.session.transfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.ResponseMemory;
import dev.agentsessions.session.transfer.TransferStore.Summary;
import dev.agentsessions.state.StateScope;

/**
 * Stores an imported session. One that is small goes whole in one transaction. A larger
 * one is written, as it comes, under a key that no session has yet, and the last
 * transaction makes it a session: so neither memory nor any transaction grows with it,
 * and no transaction waits for the next line of a body.
 *
 * <p>
 * A session that comes without initial state began with those keys of its state that no
 * event sets.
 */
final class NewSessionImport implements ImportTarget {

	/** About how many characters, or how many events, are stored at once. */
	static final long CHARACTERS_OF_PIECE = 1 << 18;

	static final int EVENTS_OF_PIECE = 1000;

	/** What a key or an event takes besides, about. */
	private static final int CHARACTERS_AROUND = 200;

	private final TransferStore store;

	private final ResponseMemory memory;

	private final ImportedSession session;

	private final Set<String> keysWithoutEvent = new HashSet<>();

	private boolean hasInitialState;

	private Map<String, JsonText> initialState = new LinkedHashMap<>();

	private Map<String, JsonText> state = new LinkedHashMap<>();

	private List<ImportedEvent> events = new ArrayList<>();

	private long characters;

	private @Nullable String lastEventId;

	private @Nullable UUID key;

	NewSessionImport(TransferStore store, ResponseMemory memory, ImportedSession session) {
		this.store = store;
		this.memory = memory;
		this.session = session;
	}

	@Override
	public void addInitial(Map<String, JsonText> more) {
		if (!Collections.disjoint(this.initialState.keySet(), more.keySet())) {
			throw new SessionException.InvalidArgument("initialState", "must have each key once");
		}
		this.hasInitialState = true;
		add(this.initialState, more);
	}

	@Override
	public void add(Map<String, JsonText> more) {
		if (!this.hasInitialState) {
			this.memory.take(more.keySet().stream().mapToLong((name) -> name.length() + CHARACTERS_AROUND).sum());
			this.keysWithoutEvent.addAll(more.keySet());
		}
		add(this.state, more);
	}

	private void add(Map<String, JsonText> keys, Map<String, JsonText> more) {
		more.forEach((key, value) -> {
			keys.put(key, value);
			this.characters += key.length() + value.text().length() + CHARACTERS_AROUND;
		});
		storeFullPiece();
	}

	@Override
	public void add(ImportedEvent event) {
		this.events.add(event);
		this.lastEventId = event.event().id();
		this.keysWithoutEvent.removeAll(event.event().delta().in(StateScope.SESSION).keySet());
		this.characters += event.event().body().text().length()
				+ (1L + event.event().delta().changes().size()) * CHARACTERS_AROUND;
		storeFullPiece();
	}

	@Override
	public boolean end() {
		try {
			this.store.finish(this.session, this.key, piece(), this.keysWithoutEvent);
			return true;
		}
		catch (SessionException.AlreadyExists ex) {
			abandon();
			Summary stored = this.store.summary(this.session.key()).orElseThrow(() -> ex);
			return new ExistingSessionImport(this.session, stored, this.lastEventId).end();
		}
	}

	@Override
	public void abandon() {
		if (this.key != null) {
			this.store.abandon(this.key);
			this.key = null;
		}
	}

	private void storeFullPiece() {
		if (this.characters >= CHARACTERS_OF_PIECE || this.events.size() >= EVENTS_OF_PIECE) {
			if (this.key == null) {
				this.key = this.store.begin(this.session.key().user());
			}
			this.store.add(this.session.key(), this.key, piece());
		}
	}

	private ImportChunk piece() {
		ImportChunk piece = new ImportChunk(this.initialState, this.state, this.events);
		this.initialState = new LinkedHashMap<>();
		this.state = new LinkedHashMap<>();
		this.events = new ArrayList<>();
		this.characters = 0;
		return piece;
	}

}
