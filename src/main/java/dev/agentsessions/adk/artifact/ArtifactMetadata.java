package dev.agentsessions.adk.artifact;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.adk.artifact.ArtifactMetadata.ArtifactTag;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.event.EventFields;

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

	/**
	 * Converts the newest version of an artifact to the header {@code ETag} and back. The
	 * format is {@code "<version>.<time of the save in microseconds>"}. A number alone is
	 * also accepted.
	 */
	static final class ArtifactTag {

		private static final Pattern TAG = Pattern.compile("\"(0|[1-9]\\d{0,8})(?:\\.(\\d{1,18}))?\"");

		private ArtifactTag() {
		}

		static void set(HttpServletResponse response, ArtifactVersion version) {
			long micros = Timestamps.toEpochMicros(version.createTime());
			response.setHeader(HttpHeaders.ETAG, "\"" + version.version() + "." + micros + "\"");
		}

		/**
		 * Returns the precondition of a request: {@code If-Match} with one tag or
		 * {@code *}, or {@code If-None-Match: *}.
		 * @throws SessionException.InvalidArgument if it is none of them
		 */
		static ArtifactPrecondition precondition(HttpServletRequest request) {
			String match = request.getHeader(HttpHeaders.IF_MATCH);
			String noneMatch = request.getHeader(HttpHeaders.IF_NONE_MATCH);
			if (match != null) {
				return match.strip().equals("*") ? ArtifactPrecondition.PRESENT : precondition(match.strip());
			}
			InvalidArgument.check(noneMatch == null || noneMatch.strip().equals("*"), HttpHeaders.IF_NONE_MATCH,
					"must be *");
			return (noneMatch != null) ? ArtifactPrecondition.ABSENT : ArtifactPrecondition.NONE;
		}

		private static ArtifactPrecondition precondition(String tag) {
			Matcher parts = TAG.matcher(tag);
			InvalidArgument.check(parts.matches(), HttpHeaders.IF_MATCH,
					"must be the ETag of a version, the number of a version in quotes, or *");
			String micros = parts.group(2);
			return new ArtifactPrecondition(true, Integer.valueOf(parts.group(1)),
					(micros != null) ? Timestamps.ofEpochMicros(Long.parseLong(micros)) : null);
		}

	}

	/**
	 * Writes a version as a part, while its bytes are read. Source: {@code Part} of
	 * google-genai 1.x.
	 */
	static final class PartWriter {

		private static final JsonMapper MAPPER = JsonMapper.builder()
			.disable(StreamWriteFeature.AUTO_CLOSE_CONTENT, StreamWriteFeature.AUTO_CLOSE_TARGET)
			.build();

		private PartWriter() {
		}

		/**
		 * Writes the response.
		 * @param bytes the bytes of the version; empty for a reference
		 */
		static void write(ArtifactVersion version, InputStream bytes, HttpServletResponse response) throws IOException {
			// Before the response begins: an error has other headers
			InputStream begun = new SequenceInputStream(new ByteArrayInputStream(bytes.readNBytes(1)), bytes);
			ArtifactTag.set(response, version);
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			try (JsonGenerator json = MAPPER.createGenerator(response.getOutputStream())) {
				json.writeStartObject();
				writeContent(version, begun, json);
				json.writeEndObject();
			}
		}

		private static void writeContent(ArtifactVersion version, InputStream bytes, JsonGenerator json) {
			NewArtifact artifact = version.artifact();
			if (artifact.kind() == ArtifactKind.TEXT) {
				json.writeName("text").writeString(new InputStreamReader(bytes, StandardCharsets.UTF_8), -1);
				return;
			}
			boolean isFile = artifact.kind() == ArtifactKind.REFERENCE;
			json.writeName(isFile ? EventFields.FILE_DATA : EventFields.INLINE_DATA).writeStartObject();
			writeText(json, "mimeType", artifact.mimeType());
			writeText(json, "displayName", artifact.displayName());
			if (isFile) {
				json.writeStringProperty("fileUri", Objects.requireNonNull(artifact.fileUri()));
			}
			else {
				json.writeName("data").writeBinary(Base64Variants.MIME_NO_LINEFEEDS, bytes, (int) version.size());
			}
			json.writeEndObject();
		}

		private static void writeText(JsonGenerator json, String name, @Nullable String text) {
			if (text != null) {
				json.writeStringProperty(name, text);
			}
		}

	}

}
