package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.UUID;

import org.springframework.stereotype.Component;

/** Tells which events of a session no rewind takes back. */
@Component
public class LiveEvents {

	private final ContextViews views;

	LiveEvents(ContextViews views) {
		this.views = views;
	}

	/**
	 * Returns the seqs of the events up to a revision that no rewind takes back.
	 * @throws dev.agentsessions.session.SessionException.NotFound if the session is gone
	 */
	public BitSet at(UUID sessionKey, long revision) {
		return this.views.at(sessionKey, revision).live();
	}

}
