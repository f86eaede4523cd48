package dev.agentsessions.console.artifact;

import java.util.Optional;

import org.springframework.stereotype.Component;

import dev.agentsessions.console.session.EventViews.ArtifactChange;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.web.body.InlineDataStripper;

/** Finds the event that says that it saved a version of an artifact. */
@Component
class ArtifactSaver {

	/** An agent appends the event soon after it has saved the version. */
	private static final int MAX_EVENTS = 10;

	private final EventService events;

	ArtifactSaver(EventService events) {
		this.events = events;
	}

	/**
	 * Finds the event among the first ones after the save; empty for artifacts of the
	 * user, which any session may have saved.
	 */
	Optional<SavedBy> find(ArtifactVersion version, SessionName name, Links links) {
		if (version.name().owner().isEmpty()) {
			return Optional.empty();
		}
		EventQuery query = EventQuery.of(false, MAX_EVENTS).between(version.afterSeq(), Long.MAX_VALUE);
		return this.events.list(name, query, new InlineDataStripper(links.session(name)))
			.items()
			.stream()
			.filter((event) -> names(event, version, name, links))
			.findFirst()
			.map((event) -> SavedBy.of(event, name, links));
	}

	private static boolean names(Event event, ArtifactVersion version, SessionName name, Links links) {
		JsonObject actions = LenientFields.object(LenientFields.object(event.body()), EventFields.ACTIONS);
		return ArtifactChange.of(actions, name, links)
			.anyMatch((change) -> change.wholeName().equals(version.name().name())
					&& change.version() == version.version());
	}

	/**
	 * The event.
	 *
	 * @param seq its seq
	 * @param author its author
	 * @param link the page of the session at the event
	 */
	record SavedBy(long seq, TruncatedText author, String link) {

		static SavedBy of(Event event, SessionName name, Links links) {
			String author = LenientFields.text(LenientFields.object(event.body()), EventFields.AUTHOR);
			return new SavedBy(event.seq(), TruncatedText.of(author, TruncatedText.MAX_LINE_CHARS),
					links.eventInSession(name, event.seq()));
		}

	}

}
