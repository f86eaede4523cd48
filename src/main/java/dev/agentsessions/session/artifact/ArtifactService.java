package dev.agentsessions.session.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongFunction;

import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.AuditLog;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactService.Store.SavedArtifact;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.startup.DataSizeRange;

/** Saves, loads, lists and deletes artifacts. */
@Service
public class ArtifactService {

	/** Source: {@code load_artifact} of ADK Python 2.13. */
	private static final int MAX_REFERENCES = 5;

	private static final int MAX_PAGE = 1000;

	private final Store store;

	private final AccessPolicy access;

	private final AuditLog audit;

	private final ResponseHeap memory;

	ArtifactService(Store store, AccessPolicy access, AuditLog audit, ResponseHeap memory) {
		this.store = store;
		this.access = access;
		this.audit = audit;
		this.memory = memory;
	}

	/**
	 * Saves a version, as {@link Store#save}.
	 * @throws SessionException.InvalidArgument if it refers to an artifact of another
	 * user
	 */
	public SavedArtifact save(ArtifactName name, NewArtifact artifact, @Nullable InputStream bytes,
			ArtifactPrecondition precondition, @Nullable UUID id) throws IOException {
		check(Access.WRITE, name.user(), name.session());
		if (ArtifactReference.isReference(artifact.fileUri())) {
			ArtifactReference.parse(Objects.requireNonNull(artifact.fileUri()), name.user());
		}
		return this.store.save(name, artifact, bytes, precondition, id);
	}

	/**
	 * Finds a version as it was saved.
	 * @param version its number; {@code null} for the newest
	 * @throws ArtifactException.NotFound if there is none, or a rewind has taken it back
	 */
	public ArtifactVersion get(ArtifactName name, @Nullable Integer version) {
		return find(name, version).seen(this.access.secrets());
	}

	private ArtifactVersion find(ArtifactName name, @Nullable Integer version) {
		check(Access.READ, name.user(), name.session());
		return this.store.find(name, version)
			.filter((found) -> !found.isTakenBack())
			.orElseThrow(ArtifactException.NotFound::new);
	}

	/**
	 * Finds a version, or the one that it refers to.
	 * @param version its number; {@code null} for the newest
	 * @throws ArtifactException.NotFound if one of them does not exist
	 * @throws SessionException.InvalidArgument if there are more than five references
	 */
	public ArtifactVersion load(ArtifactName name, @Nullable Integer version) {
		ArtifactVersion found = find(name, version);
		for (int count = 0; ArtifactReference.isReference(found.artifact().fileUri()); count++) {
			InvalidArgument.check(count < MAX_REFERENCES, "fileUri",
					"must not lead over more than " + MAX_REFERENCES + " references");
			ArtifactReference next = ArtifactReference.parse(Objects.requireNonNull(found.artifact().fileUri()),
					found.name().user());
			found = target(next);
		}
		return found.seen(this.access.secrets());
	}

	/** The session of a target may be gone. */
	private ArtifactVersion target(ArtifactReference reference) {
		try {
			return find(reference.name(), reference.version());
		}
		catch (SessionException.NotFound ex) {
			throw new ArtifactException.NotFound();
		}
	}

	/** Returns all versions, the oldest first; none if there is no such artifact. */
	public List<ArtifactVersion> versions(ArtifactName name) {
		check(Access.READ, name.user(), name.session());
		return seen(this.store.versions(name));
	}

	/**
	 * Returns a page of artifacts that can be loaded, as their newest versions.
	 * @param limit the maximum number; at most 1,000 come
	 */
	public Page<ArtifactVersion> list(StateOwner user, @Nullable SessionName session, String after, int limit) {
		check(Access.READ, user, session);
		int size = Math.min(limit, MAX_PAGE);
		return Page.of(seen(this.store.newest(user, session, after, size + 1)), size);
	}

	private List<ArtifactVersion> seen(List<ArtifactVersion> versions) {
		Secrets secrets = this.access.secrets();
		return versions.stream().map((version) -> version.seen(secrets)).toList();
	}

	/** Returns the names of all artifacts that can be loaded. */
	public List<String> names(StateOwner user, @Nullable SessionName session) {
		List<String> names = new ArrayList<>();
		Page<ArtifactVersion> page;
		do {
			page = list(user, session, names.isEmpty() ? "" : names.get(names.size() - 1), MAX_PAGE);
			page.items().forEach((item) -> names.add(item.name().name()));
		}
		while (page.more());
		return names;
	}

	/** Deletes an artifact or one version, as {@link Store#delete}. */
	public void delete(ArtifactName name, @Nullable Integer version, ArtifactPrecondition precondition) {
		check(Access.WRITE, name.user(), name.session());
		this.audit.delete("artifact.delete", subject(name, version),
				() -> this.store.delete(name, version, precondition), (versions) -> Map.of("versions", versions));
	}

	private static Map<String, Object> subject(ArtifactName name, @Nullable Integer version) {
		Map<String, Object> subject = new HashMap<>(Map.of("app", name.user().appName(), "artifact", name.name()));
		subject.put("user", Objects.requireNonNull(name.user().userId()));
		name.owner().ifPresent((session) -> subject.put("session", session.sessionId()));
		if (version != null) {
			subject.put("version", version);
		}
		return subject;
	}

	/** Reads a block of bytes of a version that the caller has found. */
	public byte[] read(ArtifactVersion version, long position) {
		return this.store.read(version, position);
	}

	/**
	 * Returns the blocks of bytes of a version, each from a position on. When a block is
	 * read, the bytes of the one before are sent.
	 */
	public LongFunction<ByteBuffer> blocks(ArtifactVersion version) {
		long before = this.memory.taken();
		return (position) -> {
			this.memory.continueFrom(before);
			return ByteBuffer.wrap(read(version, position));
		};
	}

	private void check(Access needed, StateOwner user, @Nullable SessionName session) {
		if (session != null) {
			this.access.check(needed, session);
		}
		else {
			this.access.check(needed, user);
		}
	}

	/** Stores artifacts. Implemented by {@code postgres}. */
	public interface Store {

		/**
		 * Saves a version, which becomes visible as a whole or not at all.
		 * @param bytes its bytes, which the store reads to the end; {@code null} for a
		 * reference
		 * @param id identifies the save; {@code null} if it may not be repeated
		 * @return the version, with the number after the one before, or the version that
		 * the same save has stored before
		 * @throws SessionException.NotFound if the session does not exist
		 * @throws ArtifactException.OtherContent if a save with this id has stored other
		 * content
		 * @throws ArtifactException.Stale if the precondition does not hold
		 * @throws ArtifactException.QuotaExceeded if a limit is exceeded
		 * @throws IOException if the bytes do not arrive
		 */
		SavedArtifact save(ArtifactName name, NewArtifact artifact, @Nullable InputStream bytes,
				ArtifactPrecondition precondition, @Nullable UUID id) throws IOException;

		/**
		 * Finds a version.
		 * @param version its number; {@code null} for the newest
		 * @return the version; empty if there is none
		 * @throws SessionException.NotFound if the session does not exist
		 */
		Optional<ArtifactVersion> find(ArtifactName name, @Nullable Integer version);

		/**
		 * Returns all versions of an artifact, the oldest first.
		 * @throws SessionException.NotFound if the session does not exist
		 */
		List<ArtifactVersion> versions(ArtifactName name);

		/**
		 * Returns the newest versions of artifacts, sorted by name.
		 * @param session whose artifacts to list besides those of the user; {@code null}
		 * for those of the user only
		 * @param after names after this one
		 * @param limit the maximum number
		 * @throws SessionException.NotFound if the session does not exist
		 */
		List<ArtifactVersion> newest(StateOwner user, @Nullable SessionName session, String after, int limit);

		/**
		 * Deletes an artifact with all its versions, or one version.
		 * @param version the number of the version; {@code null} for all
		 * @return the number of deleted versions
		 * @throws SessionException.NotFound if the session does not exist
		 * @throws ArtifactException.Stale if the precondition does not hold
		 */
		int delete(ArtifactName name, @Nullable Integer version, ArtifactPrecondition precondition);

		/**
		 * Reads a block of the bytes of a version, and takes memory for it before.
		 * @param version a version that has bytes
		 * @param position the index of the first byte, from 0
		 * @return at least one byte, at most a megabyte
		 * @throws ArtifactException.NotFound if they are deleted
		 */
		byte[] read(ArtifactVersion version, long position);

		/**
		 * The result of a save.
		 *
		 * @param version the version
		 * @param replayed whether an earlier request has saved it
		 */
		record SavedArtifact(ArtifactVersion version, boolean replayed) {
		}

		/**
		 * Stored bytes.
		 *
		 * @param userKey identifies the user
		 * @param blobKey identifies the bytes of the user
		 * @param digest SHA-256 of the bytes, as Base64 for URLs without padding
		 */
		record ArtifactContent(UUID userKey, UUID blobKey, String digest) {
		}

	}

	/** Failures of requests about artifacts. */
	public static final class ArtifactException {

		private ArtifactException() {
		}

		/** There is no such artifact or version, or a rewind has taken it back. */
		public static final class NotFound extends SessionException {

			public NotFound() {
				super(Kind.ARTIFACT_NOT_FOUND, "Artifact not found");
			}

		}

		/**
		 * The newest version is not the one that the caller expects. Nothing was changed.
		 */
		public static final class Stale extends SessionException {

			/**
			 * Creates the exception.
			 * @param newest the newest version; {@code null} if there is none
			 */
			public Stale(@Nullable ArtifactVersion newest) {
				super(Kind.STALE_ARTIFACT, (newest != null)
						? "The newest version of the artifact is " + newest.version() : "The artifact does not exist");
			}

		}

		/** The same save was sent before, with other content. Nothing was changed. */
		public static final class OtherContent extends SessionException {

			/**
			 * Creates the exception.
			 * @param version the number of the version that the first one has saved
			 */
			public OtherContent(int version) {
				super(Kind.ALREADY_EXISTS, "Version " + version
						+ " of the artifact was saved with the same Idempotency-Key, but not with the same content");
			}

		}

		/** The session or the user has no room for the version. Nothing was stored. */
		public static final class QuotaExceeded extends SessionException {

			/**
			 * Creates the exception.
			 * @param owner who has no room
			 * @param limit the limit
			 * @param unit the unit of the limit
			 * @param setting the setting of the limit
			 */
			public QuotaExceeded(String owner, long limit, String unit, String setting) {
				super(Kind.QUOTA_EXCEEDED, "%s may have %d %s at most (%s)".formatted(owner, limit, unit, setting));
			}

		}

	}

	/**
	 * Limits for artifacts. Each version counts its size, also where equal bytes are
	 * stored only once, its name and metadata, and the size of its rows. Versions that
	 * are saved at the same time may exceed a quota together.
	 *
	 * @param maxSize the maximum size of a version
	 * @param versions the maximum number of versions of a name
	 * @param sessionQuota the maximum size of all versions of a session together
	 * @param userQuota the maximum size of all versions of a user together, also of those
	 * of the sessions
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.artifacts")
	public record ArtifactProperties(@DefaultValue("50MB") @DataSizeRange(max = "1GB") DataSize maxSize,
			@DefaultValue("1000") @Positive int versions,
			@DefaultValue("1GB") @DataSizeRange(max = "1TB") DataSize sessionQuota,
			@DefaultValue("10GB") @DataSizeRange(max = "1TB") DataSize userQuota) {
	}

}
