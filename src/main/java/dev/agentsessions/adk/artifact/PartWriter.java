package dev.agentsessions.adk.artifact;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.event.EventFields;

/**
 * Writes a version as a part, while its bytes are read. Source: {@code Part} of
 * google-genai 1.x.
 */
final class PartWriter {

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
