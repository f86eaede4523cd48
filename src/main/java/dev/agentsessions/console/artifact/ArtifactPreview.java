package dev.agentsessions.console.artifact;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.session.DataView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.artifact.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion;

/**
 * What a page shows of the content of a version.
 *
 * @param data its bytes, to be shown, played or downloaded; {@code null} for a reference
 * to a file elsewhere, and for a version that is taken back
 * @param text the beginning of a text; {@code null} if it is none
 * @param more whether the text goes on
 * @param uri the file that it refers to; {@code null} if it is no reference
 */
record ArtifactPreview(@Nullable DataView data, @Nullable TruncatedText text, boolean more,
		@Nullable TruncatedText uri) {

	private static final int MAX_TEXT_BYTES = 64 * 1024;

	private static final Set<String> TEXTS = Set.of("application/json", "application/xml", "application/yaml",
			"application/javascript", "application/x-ndjson");

	static ArtifactPreview of(ArtifactVersion version, SessionKey key, ArtifactService artifacts, Links links) {
		String uri = version.artifact().fileUri();
		TruncatedText target = (uri != null) ? TruncatedText.of(uri, TruncatedText.MAX_CHARS) : null;
		if (version.content() == null || version.isTakenBack()) {
			return new ArtifactPreview(null, null, false, target);
		}
		String type = Objects.requireNonNullElse(version.artifact().mimeType(), "text/plain");
		String name = version.name().name();
		DataView data = DataView.of(name, type, links.artifactContent(key, name, version.version()));
		return isText(version, type)
				? new ArtifactPreview(data, text(version, artifacts), version.size() > MAX_TEXT_BYTES, target)
				: new ArtifactPreview(data, null, false, target);
	}

	private static boolean isText(ArtifactVersion version, String type) {
		String plain = type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
		return version.artifact().kind() == ArtifactKind.TEXT || plain.startsWith("text/") || TEXTS.contains(plain);
	}

	/** A character that is cut in two is left out. */
	private static TruncatedText text(ArtifactVersion version, ArtifactService artifacts) {
		byte[] bytes = (version.size() > 0) ? artifacts.read(version, 0) : new byte[0];
		int end = Math.min(bytes.length, MAX_TEXT_BYTES);
		while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
			end--;
		}
		return TruncatedText.of(new String(bytes, 0, end, StandardCharsets.UTF_8), MAX_TEXT_BYTES);
	}

}
