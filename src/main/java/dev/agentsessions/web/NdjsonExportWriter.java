package dev.agentsessions.web;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.TransferService.ExportWriter;

/** Writes an export line by line ({@link TransferFormat}). */
public final class NdjsonExportWriter implements ExportWriter {

	/** Not a registered media type, but the one that tools use. */
	public static final String MEDIA_TYPE = "application/x-ndjson";

	/** Maximum number of characters of a line of state. A single key may have more. */
	private static final int MAX_STATE_LINE_CHARS = 1 << 16;

	/** Maximum number of keys of a line of state. */
	private static final int MAX_STATE_LINE_KEYS = 1000;

	/** Short enough for the memory that an import always has. */
	private static final int MAX_CHUNK_BYTES = 48 * 1024;

	private final StateOwner owner;

	private final NdjsonOutput output;

	private long sessions;

	private long events;

	/**
	 * Creates the writer of one export.
	 * @param owner the user or the app that is exported
	 */
	public NdjsonExportWriter(StateOwner owner, HttpServletResponse response) {
		this.owner = owner;
		this.output = new NdjsonOutput(response);
	}

	@Override
	public void begin() {
		Map<String, JsonText> header = kind(TransferFormat.EXPORT);
		header.put(TransferFormat.VERSION, number(TransferFormat.CURRENT_VERSION));
		header.put(TransferFormat.APP_NAME, JsonStrings.of(this.owner.appName()));
		if (this.owner.userId() != null) {
			header.put(TransferFormat.USER_ID, JsonStrings.of(this.owner.userId()));
		}
		header.put(TransferFormat.EXPORT_TIME, time(Instant.now().truncatedTo(ChronoUnit.MICROS)));
		write(header);
	}

	@Override
	public void appState(Map<String, JsonText> state) {
		writeState(TransferFormat.APP_STATE, state);
	}

	@Override
	public void user(String userId) {
		Map<String, JsonText> line = kind(TransferFormat.USER);
		line.put(TransferFormat.USER_ID, JsonStrings.of(userId));
		write(line);
	}

	@Override
	public void userState(Map<String, JsonText> state) {
		writeState(TransferFormat.USER_STATE, state);
	}

	@Override
	public void session(Session session, Map<String, JsonText> initialState) {
		write(head(session));
		writeState(TransferFormat.INITIAL_STATE, initialState);
		writeState(TransferFormat.STATE, session.state());
		Map<String, JsonText> end = kind(TransferFormat.SESSION_END);
		try {
			session.events().forEach(this::write);
			this.sessions++;
			this.events += session.revision();
		}
		catch (SessionException.NotFound ex) {
			end.put(TransferFormat.DELETED, new JsonText("true"));
		}
		write(end);
	}

	@Override
	public void artifact(TransferredArtifact artifact, boolean withBytes) {
		ArtifactVersion version = artifact.version();
		NewArtifact saved = version.artifact();
		Map<String, JsonText> line = kind(TransferFormat.ARTIFACT);
		line.put(TransferFormat.NAME, JsonStrings.of(version.name().name()));
		line.put(TransferFormat.VERSION, number(version.version()));
		line.put(TransferFormat.CREATE_TIME, time(version.createTime()));
		line.put(TransferFormat.AFTER_SEQ, number(artifact.version().afterSeq()));
		line.put(TransferFormat.PART, JsonStrings.of(saved.kind().name().toLowerCase(Locale.ROOT)));
		put(line, TransferFormat.MIME_TYPE, saved.mimeType());
		put(line, TransferFormat.DISPLAY_NAME, saved.displayName());
		put(line, TransferFormat.FILE_URI, saved.fileUri());
		if (saved.customMetadata() != null) {
			line.put(TransferFormat.CUSTOM_METADATA, saved.customMetadata());
		}
		line.put(TransferFormat.SIZE, number(version.size()));
		put(line, TransferFormat.DIGEST, artifact.digest());
		put(line, TransferFormat.CONTENT, withBytes ? null : TransferFormat.REFERENCE);
		write(line);
	}

	private static void put(Map<String, JsonText> line, String name, @Nullable String text) {
		if (text != null) {
			line.put(name, JsonStrings.of(text));
		}
	}

	@Override
	public void artifactBytes(byte[] bytes) {
		for (int from = 0; from < bytes.length; from += MAX_CHUNK_BYTES) {
			byte[] chunk = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + MAX_CHUNK_BYTES));
			this.output.line("{\"kind\":\"artifactChunk\",\"data\":\"", Base64.getEncoder().encodeToString(chunk),
					"\"}");
		}
	}

	@Override
	public void artifactDeleted() {
		Map<String, JsonText> line = kind(TransferFormat.ARTIFACT_CHUNK);
		line.put(TransferFormat.DELETED, new JsonText("true"));
		write(line);
	}

	@Override
	public void end() {
		Map<String, JsonText> line = kind(TransferFormat.END);
		line.put(TransferFormat.SESSIONS, number(this.sessions));
		line.put(TransferFormat.EVENTS, number(this.events));
		write(line);
		this.output.end();
	}

	private static Map<String, JsonText> head(Session session) {
		Map<String, JsonText> head = kind(TransferFormat.SESSION);
		head.put(TransferFormat.SESSION_ID, JsonStrings.of(session.name().sessionId()));
		head.put(TransferFormat.REVISION, number(session.revision()));
		head.put(TransferFormat.DETAILS_REVISION, number(session.version().detailsRevision()));
		head.put(TransferFormat.CREATE_TIME, time(session.createTime()));
		head.put(TransferFormat.LAST_UPDATE_TIME, time(session.lastUpdateTime()));
		DetailsFields.write(session.details(), head);
		if (session.forkedFrom() != null) {
			head.put(TransferFormat.FORKED_FROM, session.forkedFrom().toJson());
		}
		return head;
	}

	private void write(Event event) {
		this.output.line("{\"kind\":\"event\",\"seq\":" + event.seq() + ",\"commitTime\":\"" + event.commitTime()
				+ "\",\"event\":", event.body().text(), "}");
	}

	/** Writes the keys in sorted order, so that the same state gives the same lines. */
	private void writeState(String kind, Map<String, JsonText> state) {
		Map<String, JsonText> members = new LinkedHashMap<>();
		long characters = 0;
		for (Map.Entry<String, JsonText> entry : new TreeMap<>(state).entrySet()) {
			long more = entry.getKey().length() + entry.getValue().length();
			boolean full = characters + more > MAX_STATE_LINE_CHARS || members.size() == MAX_STATE_LINE_KEYS;
			if (full && !members.isEmpty()) {
				writeStateLine(kind, members);
				members = new LinkedHashMap<>();
				characters = 0;
			}
			members.put(entry.getKey(), entry.getValue());
			characters += more;
		}
		if (!members.isEmpty()) {
			writeStateLine(kind, members);
		}
	}

	/** The values may be large, so they are not copied into one text. */
	private void writeStateLine(String kind, Map<String, JsonText> members) {
		List<String> parts = new ArrayList<>(List.of("{\"kind\":\"" + kind + "\",\"state\":"));
		members.forEach((name, value) -> {
			parts.add(((parts.size() == 1) ? "{" : ",") + JsonStrings.quote(name) + ":");
			parts.add(value.text());
		});
		parts.add("}}");
		this.output.line(parts.toArray(String[]::new));
	}

	private void write(Map<String, JsonText> line) {
		this.output.line(new JsonObject("", line).toJson().text());
	}

	private static Map<String, JsonText> kind(String kind) {
		Map<String, JsonText> line = new LinkedHashMap<>();
		line.put(TransferFormat.KIND, JsonStrings.of(kind));
		return line;
	}

	private static JsonText number(long number) {
		return new JsonText(Long.toString(number));
	}

	private static JsonText time(Instant time) {
		return JsonStrings.of(time.toString());
	}

	/**
	 * Writes lines to a response. Buffers the first characters, so that an early failure
	 * can still be sent as an error.
	 */
	private static final class NdjsonOutput {

		private static final int BUFFER_CHARS = 1 << 15;

		private final HttpServletResponse response;

		private final StringBuilder buffer = new StringBuilder();

		private @Nullable Writer body;

		NdjsonOutput(HttpServletResponse response) {
			this.response = response;
		}

		/**
		 * Writes a line.
		 * @param parts the text of the line, in several parts that need no concatenation
		 */
		void line(String... parts) {
			for (String part : parts) {
				add(JsonStrings.onOneLine(part));
			}
			add("\n");
		}

		/** Sends the characters that are still in the buffer. */
		void end() {
			try {
				send();
				body().flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private void add(String text) {
			try {
				if (this.buffer.length() + text.length() > BUFFER_CHARS) {
					send();
				}
				if (text.length() > BUFFER_CHARS) {
					write(text);
				}
				else {
					this.buffer.append(text);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/** In pieces, because the writer copies each one. */
		private void write(String text) throws IOException {
			for (int from = 0; from < text.length(); from += BUFFER_CHARS) {
				body().write(text, from, Math.min(BUFFER_CHARS, text.length() - from));
			}
		}

		private void send() throws IOException {
			body().append(this.buffer);
			this.buffer.setLength(0);
		}

		private Writer body() throws IOException {
			if (this.body == null) {
				this.response.setContentType(MEDIA_TYPE + ";charset=UTF-8");
				this.body = new OutputStreamWriter(this.response.getOutputStream(), StandardCharsets.UTF_8);
			}
			return this.body;
		}

	}

}
