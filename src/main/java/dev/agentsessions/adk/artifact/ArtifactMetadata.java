package dev.agentsessions.adk.artifact;

import java.math.BigDecimal;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;

/**
 * A version of an artifact in responses. Source of the first five fields: {@code
 * ArtifactVersion} of ADK Python 2.13.
 *
 * @param version its number, from 0
 * @param canonicalUri a URI that other artifacts of the user may refer to; of a reference
 * the URI that it refers to
 * @param customMetadata what the client has stored with it
 * @param createTime when it was saved, in seconds
 * @param mimeType the media type
 * @param filename the name of the artifact
 * @param size the number of bytes
 */
record ArtifactMetadata(int version, String canonicalUri, JsonText customMetadata, BigDecimal createTime,
		@Nullable String mimeType, String filename, long size) {

	private static final JsonText NOTHING = new JsonText("{}");

	static ArtifactMetadata from(ArtifactVersion version) {
		String type = version.artifact().mimeType();
		boolean isText = version.artifact().kind() == ArtifactKind.TEXT;
		return new ArtifactMetadata(version.version(),
				Objects.requireNonNullElseGet(version.artifact().fileUri(), version::canonicalUri),
				Objects.requireNonNullElse(version.artifact().customMetadata(), NOTHING),
				Timestamps.toSeconds(version.createTime()), (type == null && isText) ? "text/plain" : type,
				version.name().name(), version.size());
	}

}
