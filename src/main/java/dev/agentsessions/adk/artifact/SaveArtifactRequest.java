package dev.agentsessions.adk.artifact;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.KnownFields;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.event.EventFields;

/**
 * The body of a request that saves an artifact. Source: {@code SaveArtifactRequest} of
 * ADK Python 2.13; the part is one of {@code google.genai}.
 *
 * @param filename the name of the artifact
 * @param artifact what is saved
 * @param bytes its bytes; {@code null} for a reference
 */
record SaveArtifactRequest(String filename, NewArtifact artifact, @Nullable InputStream bytes) {

	/**
	 * Reads the body.
	 * @throws JsonException.InvalidShape if there is no part with bytes, a text or a file
	 */
	static SaveArtifactRequest of(JsonObject body) {
		JsonObject fields = KnownFields.SAVE_ARTIFACT.read(body, "");
		String filename = fields.requiredString("filename");
		JsonObject part = KnownFields.ARTIFACT_PART.read(fields.requiredObject("artifact"), "");
		JsonObject metadata = fields.object("customMetadata");
		JsonText custom = (metadata != null) ? metadata.toJson() : null;
		JsonObject inline = part.object(EventFields.INLINE_DATA);
		JsonObject file = part.object(EventFields.FILE_DATA);
		String text = part.string("text");
		if (inline != null) {
			return inline(filename, KnownFields.ARTIFACT_PART.read(inline, ""), custom);
		}
		if (text != null) {
			checkHasUtf8(text);
			return new SaveArtifactRequest(filename, new NewArtifact(ArtifactKind.TEXT, null, null, null, custom),
					new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
		}
		if (file != null) {
			return file(filename, KnownFields.ARTIFACT_PART.read(file, ""), custom);
		}
		throw new InvalidShape("artifact", "must have inlineData, text or fileData");
	}

	private static void checkHasUtf8(String text) {
		InvalidShape.check(StandardCharsets.UTF_8.newEncoder().canEncode(text), "artifact.text",
				"must not contain unpaired surrogates");
	}

	private static SaveArtifactRequest inline(String filename, JsonObject inline, @Nullable JsonText custom) {
		String data = inline.requiredString("data");
		return new SaveArtifactRequest(filename, new NewArtifact(ArtifactKind.BYTES, inline.string("mimeType"),
				inline.string("displayName"), null, custom), decoded(data));
	}

	private static SaveArtifactRequest file(String filename, JsonObject file, @Nullable JsonText custom) {
		String uri = file.requiredString("fileUri");
		return new SaveArtifactRequest(filename, new NewArtifact(ArtifactKind.REFERENCE, file.string("mimeType"),
				file.string("displayName"), uri, custom), null);
	}

	/**
	 * Decodes either alphabet while it is read. The decoder reads nothing after the
	 * padding.
	 */
	private static InputStream decoded(String base64) {
		int padding = base64.indexOf('=');
		if (padding >= 0 && (base64.length() % 4 != 0 || padding < base64.length() - 2)) {
			throw noBase64();
		}
		return Base64.getDecoder().wrap(new InputStream() {

			private int next;

			@Override
			public int read() {
				return (this.next < base64.length()) ? standard(base64.charAt(this.next++)) : -1;
			}

		});
	}

	/** Returns the refusal of data whose decoder fails. */
	static InvalidShape noBase64() {
		return new InvalidShape("artifact.inlineData.data", "must be Base64");
	}

	private static int standard(char character) {
		return switch (character) {
			case '-' -> '+';
			case '_' -> '/';
			default -> (character < 0x80) ? character : '!';
		};
	}

}
