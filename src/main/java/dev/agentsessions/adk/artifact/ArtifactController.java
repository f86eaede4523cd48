package dev.agentsessions.adk.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongFunction;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.adk.artifact.ArtifactMetadata.ArtifactTag;
import dev.agentsessions.adk.artifact.ArtifactMetadata.PartWriter;
import dev.agentsessions.adk.artifact.ArtifactRoutes.ArtifactOwner;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactProperties;
import dev.agentsessions.session.artifact.ArtifactService.Store.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactService.Store.SavedArtifact;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactPrecondition;
import dev.agentsessions.session.artifact.NewArtifact;
import dev.agentsessions.session.lifecycle.CreateSession.IdempotencyKey;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.ApiHeaders;
import dev.agentsessions.web.FileResponse;
import dev.agentsessions.web.FileResponse.FileContent;
import dev.agentsessions.web.FileResponse.SafeType;
import dev.agentsessions.web.PageTokens;
import dev.agentsessions.web.SessionPath.PathVariables;
import dev.agentsessions.web.StreamedBodies;

/** Saves, loads, lists and deletes artifacts of a session and of a user. */
@RestController
@RequestMapping({ "/apps/{appName}/users/{userId}/sessions/{sessionId}", "/apps/{appName}/users/{userId}" })
class ArtifactController {

	static {
		SpringDocUtils.getConfig().addRequestWrapperToIgnore(ArtifactOwner.class);
	}

	private static final String LIST = "adk artifacts";

	private final ArtifactService artifacts;

	private final StreamedBodies bodies;

	private final BodyLimit limit;

	private final PageTokens tokens;

	ArtifactController(ArtifactService artifacts, StreamedBodies bodies, ArtifactProperties properties,
			PageTokens tokens) {
		this.artifacts = artifacts;
		this.bodies = bodies;
		this.limit = new BodyLimit(properties.maxSize().toBytes(), "agent-sessions.artifacts.max-size");
		this.tokens = tokens;
	}

	@ModelAttribute(binding = false)
	ArtifactOwner owner(HttpServletRequest request) {
		return ArtifactOwner.of(PathVariables.of(request));
	}

	@PostMapping("/artifacts")
	ArtifactMetadata saveArtifact(@ModelAttribute ArtifactOwner owner,
			@RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey, @RequestBody JsonObject body,
			HttpServletRequest request, HttpServletResponse response) {
		ArtifactPrecondition precondition = ArtifactTag.precondition(request);
		SaveArtifactRequest save = SaveArtifactRequest.of(body);
		try {
			return saved(this.artifacts.save(owner.artifact(save.filename()), save.artifact(), save.bytes(),
					precondition, id(idempotencyKey)), response);
		}
		catch (IOException ex) {
			// The bytes are in memory
			throw SaveArtifactRequest.noBase64();
		}
	}

	/** The body has any type and is stored as it comes. */
	@PutMapping("/artifacts/{artifact}")
	ArtifactMetadata putArtifact(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@RequestHeader(ApiHeaders.IDEMPOTENCY_KEY) @Nullable String idempotencyKey,
			@RequestParam @Nullable String part, @RequestParam @Nullable String displayName, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		ArtifactName name = owner.artifact(artifact);
		UUID id = id(idempotencyKey);
		String type = Objects.requireNonNullElse(request.getContentType(), ArtifactVersion.UNKNOWN_TYPE);
		NewArtifact saved = new NewArtifact(kind(part), type, displayName, null,
				customMetadata(request.getHeader(ApiHeaders.CUSTOM_METADATA)));
		ArtifactPrecondition precondition = ArtifactTag.precondition(request);
		InputStream body = this.bodies.open(request, this.limit);
		return saved(this.artifacts.save(name, saved, body, precondition, id), response);
	}

	@GetMapping("/artifacts")
	List<String> listArtifactNames(@ModelAttribute ArtifactOwner owner) {
		return this.artifacts.names(owner.user(), owner.session());
	}

	@GetMapping("/artifacts:list")
	ArtifactList listArtifacts(@ModelAttribute ArtifactOwner owner, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		String after = (pageToken != null) ? this.tokens.position(pageToken, LIST, List.of(owner)).get(0) : "";
		Page<ArtifactVersion> page = this.artifacts.list(owner.user(), owner.session(), after,
				QueryParameters.pageSize(limit));
		String next = page.more() ? this.tokens.issue(LIST, List.of(owner), page.last().name().name()) : null;
		return new ArtifactList(page.items().stream().map(ArtifactMetadata::from).toList(), next);
	}

	@GetMapping("/artifacts/{artifact}")
	void getArtifact(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@RequestParam @Nullable Integer version, HttpServletResponse response) throws IOException {
		write(this.artifacts.load(owner.artifact(artifact), version), response);
	}

	@GetMapping("/artifacts/{artifact}/versions")
	List<Integer> listArtifactVersions(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact) {
		return this.artifacts.versions(owner.artifact(artifact)).stream().map(ArtifactVersion::version).toList();
	}

	@GetMapping("/artifacts/{artifact}/versions/metadata")
	List<ArtifactMetadata> listArtifactMetadata(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact) {
		return this.artifacts.versions(owner.artifact(artifact)).stream().map(ArtifactMetadata::from).toList();
	}

	@GetMapping("/artifacts/{artifact}/versions/{version}")
	void getArtifactVersion(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@PathVariable String version, HttpServletResponse response) throws IOException {
		write(this.artifacts.load(owner.artifact(artifact), number(version)), response);
	}

	@GetMapping("/artifacts/{artifact}/versions/{version}/metadata")
	ArtifactMetadata getArtifactMetadata(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@PathVariable String version) {
		return ArtifactMetadata.from(this.artifacts.get(owner.artifact(artifact), number(version)));
	}

	@GetMapping("/artifacts/{artifact}/versions/{version}:content")
	void getArtifactContent(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@PathVariable String version, HttpServletRequest request, HttpServletResponse response) throws IOException {
		ArtifactVersion found = this.artifacts.load(owner.artifact(artifact), number(version));
		ArtifactContent content = found.content();
		if (content == null) {
			throw new SessionException.InvalidArgument("The artifact",
					"is a reference to a file elsewhere; GET .../versions/{version} has its URI");
		}
		String type = found.artifact().mimeType();
		response.setHeader(ApiHeaders.ARTIFACT_VERSION, Integer.toString(found.version()));
		response.setHeader(ApiHeaders.ARTIFACT_PART, found.artifact().kind().name().toLowerCase(Locale.ROOT));
		response.setHeader(ApiHeaders.ARTIFACT_TYPE, type);
		FileResponse.write(
				new FileContent(SafeType.of(type), found.size(), etag(content, type), this.artifacts.blocks(found)),
				FileResponse.ASK_ALWAYS, request, response);
	}

	@DeleteMapping("/artifacts/{artifact}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void deleteArtifact(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			HttpServletRequest request) {
		this.artifacts.delete(owner.artifact(artifact), null, ArtifactTag.precondition(request));
	}

	@DeleteMapping("/artifacts/{artifact}/versions/{version}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void deleteArtifactVersion(@ModelAttribute ArtifactOwner owner, @PathVariable String artifact,
			@PathVariable int version, HttpServletRequest request) {
		this.artifacts.delete(owner.artifact(artifact), version, ArtifactTag.precondition(request));
	}

	private static @Nullable UUID id(@Nullable String idempotencyKey) {
		return (idempotencyKey != null) ? new IdempotencyKey(idempotencyKey).id() : null;
	}

	private static ArtifactMetadata saved(SavedArtifact saved, HttpServletResponse response) {
		if (saved.replayed()) {
			response.setHeader(ApiHeaders.REPLAYED, "true");
		}
		ArtifactTag.set(response, saved.version());
		return ArtifactMetadata.from(saved.version());
	}

	private void write(ArtifactVersion version, HttpServletResponse response) throws IOException {
		PartWriter.write(version, new ArtifactBytes(version.size(), this.artifacts.blocks(version)), response);
	}

	private static String etag(ArtifactContent content, @Nullable String type) {
		return "\"" + content.digest() + ((type != null) ? "." + Integer.toHexString(type.hashCode()) : "") + "\"";
	}

	private static @Nullable JsonText customMetadata(@Nullable String header) {
		if (header == null) {
			return null;
		}
		try {
			return JsonObject.parse(UriUtils.decode(header, StandardCharsets.UTF_8)).toJson();
		}
		catch (IllegalArgumentException | JsonException ex) {
			throw new SessionException.InvalidArgument(ApiHeaders.CUSTOM_METADATA,
					"must be a JSON object, percent-encoded");
		}
	}

	private static ArtifactKind kind(@Nullable String part) {
		return QueryParameters.isSecond("part", part, "bytes", "text") ? ArtifactKind.TEXT : ArtifactKind.BYTES;
	}

	private static @Nullable Integer number(String version) {
		if (version.equals("latest")) {
			return null;
		}
		try {
			return Integer.parseUnsignedInt(version);
		}
		catch (NumberFormatException ex) {
			throw new SessionException.InvalidArgument("version", "must be a whole number from 0, or latest");
		}
	}

	/**
	 * A page of artifacts.
	 *
	 * @param artifacts the newest version of each, sorted by name
	 * @param nextPageToken the token of the next page; absent on the last page
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record ArtifactList(List<ArtifactMetadata> artifacts, @Nullable String nextPageToken) {
	}

	/**
	 * The bytes of a version as a stream.
	 */
	static final class ArtifactBytes extends InputStream {

		private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

		private final long size;

		private final LongFunction<ByteBuffer> blocks;

		private ByteBuffer block = EMPTY;

		private long position;

		ArtifactBytes(long size, LongFunction<ByteBuffer> blocks) {
			this.size = size;
			this.blocks = blocks;
		}

		@Override
		public int read() {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xFF;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) {
			if (this.position == this.size) {
				return -1;
			}
			if (!this.block.hasRemaining()) {
				// Before the next block is read, a slow client may have to take this one
				this.block = EMPTY;
				this.block = this.blocks.apply(this.position);
			}
			int count = Math.min(length, this.block.remaining());
			this.block.get(bytes, offset, count);
			this.position += count;
			return count;
		}

	}

}
