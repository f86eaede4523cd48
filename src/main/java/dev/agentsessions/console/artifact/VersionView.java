package dev.agentsessions.console.artifact;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.artifact.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactVersion;

/**
 * A version of an artifact as a page shows it.
 *
 * @param name the name of the artifact
 * @param version the number of the version
 * @param type its media type, or what it is instead
 * @param size the number of bytes
 * @param time when it was saved
 * @param takenBack whether a rewind has taken it back
 * @param link the page of the version
 */
record VersionView(TruncatedText name, int version, TruncatedText type, long size, String time, boolean takenBack,
		String link) {

	static VersionView of(ArtifactVersion version, SessionKey key, Links links) {
		String name = version.name().name();
		return new VersionView(line(name), version.version(), line(type(version)), version.size(),
				TimeFormat.of(version.createTime()), version.isTakenBack(),
				links.artifact(key, name, version.version()));
	}

	private static String type(ArtifactVersion version) {
		String type = version.artifact().mimeType();
		if (version.artifact().kind() == ArtifactKind.REFERENCE) {
			return "reference";
		}
		return (type != null) ? type : "text";
	}

	private static TruncatedText line(String text) {
		return TruncatedText.of(text, TruncatedText.MAX_LINE_CHARS);
	}

}
