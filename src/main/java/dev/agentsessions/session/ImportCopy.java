package dev.agentsessions.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * Stores an imported session. One that is small goes whole in one transaction. Of a
 * larger one, what has come so far is stored so that nobody finds it, and the last piece
 * makes it a session: so neither memory nor any transaction grows with it, and no
 * transaction waits for the next line of a body.
 */
final class ImportCopy implements ImportTarget {

	/** Characters; about so many, or so many events, are stored at once. */
	static final long CHARACTERS_OF_PIECE = 1 << 20;

	static final int EVENTS_OF_PIECE = 1000;

	/** What a key or an event takes besides, about. */
	private static final int CHARACTERS_AROUND = 200;

	private final TransferStore store;

	private final ImportedSession session;

	private Map<String, JsonText> initialState = new LinkedHashMap<>();

	private Map<String, JsonText> state = new LinkedHashMap<>();

	private List<ImportedEvent> events = new ArrayList<>();

	private long characters;

	private @Nullable ImportLease lease;

	ImportCopy(TransferStore store, ImportedSession session) {
		this.store = store;
		this.session = session;
	}

	@Override
	public void addInitial(Map<String, JsonText> more) {
		if (!Collections.disjoint(this.initialState.keySet(), more.keySet())) {
			throw new SessionException.InvalidArgument("initialState", "must have each key once");
		}
		add(this.initialState, more);
	}

	@Override
	public void add(Map<String, JsonText> more) {
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
		this.characters += event.event().body().text().length()
				+ (1L + event.event().delta().changes().size()) * CHARACTERS_AROUND;
		storeFullPiece();
	}

	@Override
	public boolean end() {
		if (this.lease == null) {
			return create(piece());
		}
		this.store.finish(this.session, this.lease, piece());
		return true;
	}

	/** Somebody may have sent the same session a moment before. */
	private boolean create(ImportedPiece whole) {
		try {
			this.store.create(this.session, whole);
			return true;
		}
		catch (SessionException.AlreadyExists ex) {
			Session stored = this.store.find(this.session.key()).orElseThrow(() -> ex);
			ImportComparison comparison = ImportComparison.of(this.store, this.session, stored);
			comparison.addInitial(whole.initialState());
			comparison.add(whole.state());
			whole.events().forEach(comparison::add);
			return comparison.end();
		}
	}

	@Override
	public void abandon() {
		if (this.lease != null) {
			this.store.abandon(this.session.key(), this.lease);
		}
	}

	private void storeFullPiece() {
		if (this.characters >= CHARACTERS_OF_PIECE || this.events.size() >= EVENTS_OF_PIECE) {
			ImportLease held = (this.lease != null) ? this.lease : this.store.begin(this.session.key());
			this.lease = held;
			this.lease = this.store.add(this.session.key(), held, piece());
		}
	}

	private ImportedPiece piece() {
		ImportedPiece piece = new ImportedPiece(this.initialState, this.state, this.events);
		this.initialState = new LinkedHashMap<>();
		this.state = new LinkedHashMap<>();
		this.events = new ArrayList<>();
		this.characters = 0;
		return piece;
	}

}
