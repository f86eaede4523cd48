package dev.agentsessions.adk.transfer;

import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.transfer.ArtifactTransferStore.TransferredArtifact;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.web.DetailsFields;
import dev.agentsessions.web.TransferFormat;

/** Parses the lines of an export ({@link TransferFormat}). */
final class ImportLineParser {

	/** As many digits as an entity tag has for the revision of the session details. */
	private static final int MAX_NUMBER = 999_999_999;

	private ImportLineParser() {
	}

	static String kind(JsonObject line) {
		return line.requiredString(TransferFormat.KIND);
	}

	/** Checks the first line. */
	static void checkHeader(String kind, JsonObject line) {
		InvalidShape.check(kind.equals(TransferFormat.EXPORT), TransferFormat.KIND, "must be export in the first line");
		if (number(line, TransferFormat.VERSION) != TransferFormat.CURRENT_VERSION) {
			throw new InvalidShape(TransferFormat.VERSION,
					"must be %d, the only one that this service reads".formatted(TransferFormat.CURRENT_VERSION));
		}
	}

	static String userId(JsonObject line) {
		return line.requiredString(TransferFormat.USER_ID);
	}

	/**
	 * Reads a version of an artifact.
	 * @param session the session before the line; {@code null} if it is not stored
	 */
	static TransferredArtifact artifact(JsonObject line, StateOwner user, @Nullable ImportedSession session) {
		String name = line.requiredString(TransferFormat.NAME);
		boolean ofUser = name.startsWith(ArtifactName.USER_PREFIX);
		InvalidArgument.check(ofUser || session != null, TransferFormat.NAME,
				"must be of a session that was imported before the line, or begin with user:");
		ArtifactName artifact = ofUser ? ArtifactName.of(user, name)
				: ArtifactName.of(Objects.requireNonNull(session).name(), name);
		long afterSeq = number(line, TransferFormat.AFTER_SEQ);
		InvalidShape.check(afterSeq <= (ofUser ? 0 : Objects.requireNonNull(session).revision()),
				TransferFormat.AFTER_SEQ, "must not be after the last event");
		ArtifactVersion version = new ArtifactVersion(artifact, (int) number(line, TransferFormat.VERSION), afterSeq,
				time(line, TransferFormat.CREATE_TIME),
				line.required(TransferFormat.SIZE).wholeNumber(TransferFormat.SIZE), saved(line), null);
		return new TransferredArtifact(version, line.string(TransferFormat.DIGEST));
	}

	private static NewArtifact saved(JsonObject line) {
		ArtifactKind kind = switch (line.requiredString(TransferFormat.PART)) {
			case "bytes" -> ArtifactKind.BYTES;
			case "text" -> ArtifactKind.TEXT;
			case TransferFormat.REFERENCE -> ArtifactKind.REFERENCE;
			default -> throw new InvalidShape(TransferFormat.PART, "must be bytes, text or reference");
		};
		JsonObject custom = line.object(TransferFormat.CUSTOM_METADATA);
		return new NewArtifact(kind, line.string(TransferFormat.MIME_TYPE), line.string(TransferFormat.DISPLAY_NAME),
				line.string(TransferFormat.FILE_URI), (custom != null) ? custom.toJson() : null);
	}

	static byte[] bytes(JsonObject line) {
		try {
			return Base64.getDecoder().decode(line.requiredString(TransferFormat.DATA));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidShape(TransferFormat.DATA, "must be Base64");
		}
	}

	/** Returns whether the last line has this number of sessions, or no number. */
	static boolean isComplete(JsonObject line, long sessions) {
		return line.get(TransferFormat.SESSIONS) == null || number(line, TransferFormat.SESSIONS) == sessions;
	}

	static StateDelta state(JsonObject line) {
		return StateDeltas.of(line.requiredObject(TransferFormat.STATE));
	}

	static ImportedSession session(JsonObject line, StateOwner user) {
		SessionName name = new SessionName(user, line.requiredString(TransferFormat.SESSION_ID));
		long details = (line.get(TransferFormat.DETAILS_REVISION) != null)
				? number(line, TransferFormat.DETAILS_REVISION) : 0;
		JsonObject origin = line.object(TransferFormat.FORKED_FROM);
		return new ImportedSession(name, number(line, TransferFormat.REVISION), time(line, TransferFormat.CREATE_TIME),
				(int) details, time(line, TransferFormat.LAST_UPDATE_TIME), details(line),
				(origin != null) ? ForkedFrom.of(origin) : null);
	}

	private static SessionDetails details(JsonObject line) {
		SessionDetails parsed = DetailsFields.read(line.without(Set.of(DetailsFields.EXPIRE_TIME)));
		Instant expireTime = (line.get(DetailsFields.EXPIRE_TIME) != null) ? time(line, DetailsFields.EXPIRE_TIME)
				: null;
		return SessionDetails.NONE.with(parsed.withExpireTime(expireTime));
	}

	/**
	 * Requires an id and a timestamp: generated ones would differ at the next import.
	 */
	static ImportedEvent event(JsonObject line) {
		JsonObject event = line.requiredObject(TransferFormat.EVENT);
		NewEvent read = NewEvent.of(event);
		InvalidShape.check(!event.requiredString("id").isBlank(), event.pathOf("id"), "must not be blank");
		event.required("timestamp");
		return new ImportedEvent(number(line, TransferFormat.SEQ), time(line, TransferFormat.COMMIT_TIME), read);
	}

	private static Instant time(JsonObject line, String name) {
		return Timestamps.parse(name, line.requiredString(name));
	}

	private static long number(JsonObject line, String name) {
		long number = line.required(name).wholeNumber(name);
		InvalidShape.check(number <= MAX_NUMBER, name, "must be at most " + MAX_NUMBER);
		return number;
	}

}
