package dev.agentsessions.search;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Expiry;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.SessionException;

/**
 * A fact to store.
 *
 * @param id its id
 * @param body the text, with author, time and metadata
 * @param expiry from then on it does not exist; {@code null} or {@link Expiry#NEVER} for
 * never
 */
public record NewFact(String id, FactBody body, @Nullable Expiry expiry) {

	public NewFact {
		Identifiers.check("id", id);
		if (TurnId.parse(id).isPresent()) {
			throw new SessionException.InvalidArgument("id", "must not be the id of a hit of a search");
		}
	}

}
