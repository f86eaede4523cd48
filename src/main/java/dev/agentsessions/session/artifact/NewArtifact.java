package dev.agentsessions.session.artifact;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Secrets.CredentialMask;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;

/**
 * What a client saves, besides the bytes.
 *
 * @param kind what the version is
 * @param mimeType the media type; {@code null} if the client gives none
 * @param displayName the name for people; {@code null} if the client gives none
 * @param fileUri the file that a reference refers to; {@code null} for others
 * @param customMetadata a JSON object of the client; {@code null} if it gives none
 */
public record NewArtifact(ArtifactKind kind, @Nullable String mimeType, @Nullable String displayName,
		@Nullable String fileUri, @Nullable JsonText customMetadata) {

	private static final int MAX_METADATA_CHARS = 8 * 1024;

	private static final JsonText MASKED = new JsonText("{\"customMetadata\":\"%s\"}".formatted(CredentialMask.MASK));

	private static final Pattern URI = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,4096}");

	/** It is sent in a header. */
	private static final Pattern MEDIA_TYPE = Pattern.compile("[\\x20-\\x7E]{1,255}");

	/**
	 * Checks the values.
	 * @throws SessionException.InvalidArgument if one of them is not allowed
	 */
	public NewArtifact {
		InvalidArgument.check(mimeType == null || MEDIA_TYPE.matcher(mimeType).matches(), "mimeType",
				"must have 1 to 255 printable ASCII characters");
		if (displayName != null) {
			Identifiers.checkText("displayName", displayName);
		}
		InvalidArgument.check(fileUri == null || URI.matcher(fileUri).matches(), "fileUri",
				"must have 1 to 4,096 characters, none of them a control character or an unpaired surrogate");
		if (customMetadata != null && customMetadata.length() > MAX_METADATA_CHARS) {
			throw new SessionException.TooLarge("customMetadata", MAX_METADATA_CHARS, "characters", "fixed");
		}
	}

	NewArtifact seen(Secrets secrets) {
		if (secrets == Secrets.WHOLE) {
			return this;
		}
		JsonText metadata = secrets.ofNullable(this.customMetadata);
		return new NewArtifact(this.kind, seen(this.mimeType, secrets), seen(this.displayName, secrets),
				seen(this.fileUri, secrets),
				(metadata != null && metadata.length() > MAX_METADATA_CHARS) ? MASKED : metadata);
	}

	/** A mask may be longer than its secret, and the text too long then. */
	private static @Nullable String seen(@Nullable String text, Secrets secrets) {
		String seen = secrets.ofNullable(text);
		return (text != null && seen != null && seen.length() > text.length()) ? CredentialMask.MASK : seen;
	}

	/** Returns the size of the values that the client gives, in bytes of UTF-8. */
	public long metadataSize() {
		String custom = (this.customMetadata != null) ? this.customMetadata.text() : null;
		return Stream.of(this.mimeType, this.displayName, this.fileUri, custom)
			.filter(Objects::nonNull)
			.mapToLong((text) -> text.getBytes(StandardCharsets.UTF_8).length)
			.sum();
	}

}
