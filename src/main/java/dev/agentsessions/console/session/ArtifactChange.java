package dev.agentsessions.console.session;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.EventFields;

/**
 * A version of an artifact that an event names in {@code actions.artifactDelta}.
 *
 * @param wholeName the name of the artifact, not truncated
 * @param name the name
 * @param version the number of the version
 * @param link the page of the version, which need not exist
 */
public record ArtifactChange(String wholeName, TruncatedText name, int version, String link) {

	/** Returns the versions that an event names, without those that are no numbers. */
	public static Stream<ArtifactChange> of(@Nullable JsonObject actions, SessionName name, Links links) {
		JsonObject delta = LenientFields.object(actions, EventFields.ARTIFACT_DELTA);
		return (delta == null) ? Stream.of()
				: delta.members()
					.entrySet()
					.stream()
					.filter((change) -> change.getValue().text().matches("\\d{1,9}"))
					.map((change) -> of(change.getKey(), Integer.parseInt(change.getValue().text()), name, links));
	}

	private static ArtifactChange of(String name, int version, SessionName session, Links links) {
		return new ArtifactChange(name, TruncatedText.of(name, TruncatedText.MAX_LINE_CHARS), version,
				links.artifact(session, name, version));
	}

}
