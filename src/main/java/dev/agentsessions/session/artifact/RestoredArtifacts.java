package dev.agentsessions.session.artifact;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The artifacts of a session that a rewind takes back.
 *
 * @param seq the newest event that stays
 * @param artifacts those that have changed since this event
 */
public record RestoredArtifacts(long seq, List<RestoredArtifact> artifacts) {

	/**
	 * An artifact of a session that a rewind takes back to an earlier version.
	 *
	 * @param name its name
	 * @param version the number of the new version
	 * @param from the number of the earlier version that the new one equals; {@code null}
	 * if there was none, so that the artifact becomes absent
	 */
	public record RestoredArtifact(String name, int version, @Nullable Integer from) {
	}

}
