// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.artifacts.BaseArtifactService;
import com.google.adk.artifacts.ListArtifactsResponse;
import com.google.adk.sessions.SessionKey;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.adk.sessions.State;
import com.google.common.collect.ImmutableList;
import com.google.genai.types.Blob;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.functions.Predicate;
import io.reactivex.rxjava3.schedulers.Schedulers;

/**
 * Stores the artifacts of agents in Agent Sessions: named files with versions, which
 * begin with 0. A name that begins with {@code user:} belongs to the user, and every
 * other name to the session.
 */
public class AgentSessionArtifactService implements BaseArtifactService {

	private static final String UNKNOWN_TYPE = "application/octet-stream";

	private static final Predicate<Throwable> ABSENT = (error) -> error instanceof SessionNotFoundException
			|| error instanceof AgentSessionsException refused && refused.code().equals("ARTIFACT_NOT_FOUND");

	private final ServiceClient client;

	/**
	 * Creates a service with the address in AGENT_SESSIONS_URL and the key in
	 * AGENT_SESSIONS_API_KEY.
	 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
	 * address does not begin with {@code http://} or {@code https://}
	 */
	public AgentSessionArtifactService() {
		this(AgentSessionService.builder());
	}

	/**
	 * Creates a service with the settings of a session service.
	 * @param settings the address of the service and the settings of the client
	 * @throws AgentSessionsException with the code {@code INVALID_ARGUMENT} if the
	 * address does not begin with {@code http://} or {@code https://}
	 */
	public AgentSessionArtifactService(AgentSessionService.Builder settings) {
		this.client = new ServiceClient(settings);
	}

	/**
	 * Stores bytes, a text or a reference as the next version, and creates the session if
	 * it does not exist. A retry after a lost response stores nothing twice.
	 */
	@Override
	public Single<Integer> saveArtifact(String appName, String userId, String sessionId, String filename,
			Part artifact) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		return Single.fromCallable(() -> {
			Map<String, String> once = ServiceClient.retryKey();
			try {
				return save(key, filename, artifact, once);
			}
			catch (SessionNotFoundException ex) {
				createSession(key);
				return save(key, filename, artifact, once);
			}
		}).subscribeOn(Schedulers.io());
	}

	/**
	 * Returns a version, or the newest one if the version is null; empty if there is no
	 * such version.
	 */
	@Override
	public Maybe<Part> loadArtifact(String appName, String userId, String sessionId, String filename,
			Integer version) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		if (version != null && version < 0) {
			return Maybe.empty(); // no artifact has it, and the service refuses such a number
		}
		return Maybe.fromCallable(() -> load(key, filename, version))
			.onErrorComplete(ABSENT)
			.subscribeOn(Schedulers.io());
	}

	/** Lists the names of the artifacts of the session and of the user, sorted. */
	@Override
	public Single<ListArtifactsResponse> listArtifactKeys(String appName, String userId, String sessionId) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		return Single.fromCallable(() -> ListArtifactsResponse.builder().filenames(names(key)).build())
			.subscribeOn(Schedulers.io());
	}

	/** Deletes all versions; succeeds if there is none. */
	@Override
	public Completable deleteArtifact(String appName, String userId, String sessionId, String filename) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		return Completable.fromAction(() -> send(userId, "DELETE", path(key, filename), null))
			.onErrorComplete(ABSENT)
			.subscribeOn(Schedulers.io());
	}

	/** Lists the numbers of the versions, the oldest first; empty if there is none. */
	@Override
	public Single<ImmutableList<Integer>> listVersions(String appName, String userId, String sessionId,
			String filename) {
		SessionKey key = new SessionKey(appName, userId, sessionId);
		return Maybe.fromCallable(() -> send(userId, "GET", path(key, filename) + "/versions", null))
			.onErrorComplete(ABSENT)
			.map((versions) -> ImmutableList.copyOf(versions).stream().map(JsonNode::asInt).toList())
			.map(ImmutableList::copyOf)
			.defaultIfEmpty(ImmutableList.of())
			.subscribeOn(Schedulers.io());
	}

	private int save(SessionKey key, String filename, Part artifact, Map<String, String> once)
			throws InterruptedException {
		Optional<Blob> data = artifact.inlineData().filter((blob) -> blob.data().isPresent());
		if (data.isPresent()) {
			String type = data.get().mimeType().filter((text) -> !text.isBlank()).orElse(UNKNOWN_TYPE);
			return put(key, path(key, filename), type, data.get().data().get(), once);
		}
		if (artifact.text().isPresent()) {
			byte[] text = artifact.text().get().getBytes(StandardCharsets.UTF_8);
			return put(key, path(key, filename) + "?part=text", "text/plain", text, once);
		}
		ObjectNode body = JsonNodeFactory.instance.objectNode().put("filename", filename);
		body.set("artifact", JsonBaseModel.getMapper().valueToTree(artifact));
		return version(this.client.send(key.userId(), "POST", owner(key, filename), body.toString(), once));
	}

	private int put(SessionKey key, String path, String type, byte[] content, Map<String, String> once)
			throws InterruptedException {
		return version(
				this.client.send(key.userId(), "PUT", path, type, BodyPublishers.ofByteArray(content), once));
	}

	private static int version(HttpResponse<JsonNode> saved) {
		return saved.body().get("version").asInt();
	}

	private void createSession(SessionKey key) throws InterruptedException {
		try {
			this.client.send(key.userId(), "POST", SessionMethods.path(key.appName(), key.userId()),
					WireFormat.newSession(key.id(), Map.of()), ServiceClient.retryKey());
		}
		catch (AgentSessionsException ex) {
			if (!ex.code().equals("ALREADY_EXISTS")) {
				throw ex;
			}
		}
	}

	private Part load(SessionKey key, String filename, Integer version) throws InterruptedException {
		String path = path(key, filename) + "/versions/" + ((version != null) ? version : "latest");
		HttpResponse<byte[]> answer;
		try {
			answer = this.client.content(key.userId(), path + ":content");
		}
		catch (AgentSessionsException ex) {
			if (ex.status() != 400) {
				throw ex;
			}
			// A reference to a file elsewhere has no content here
			ObjectNode reference = (ObjectNode) send(key.userId(), "GET", path, null);
			return EventReader.read(reference, Part.class, new ArrayList<>());
		}
		if (answer.headers().firstValue("X-Artifact-Part").orElse("").equals("text")) {
			return Part.fromText(new String(answer.body(), StandardCharsets.UTF_8));
		}
		return Part.fromBytes(answer.body(), answer.headers().firstValue("X-Artifact-Type").orElse(UNKNOWN_TYPE));
	}

	private List<String> names(SessionKey key) throws InterruptedException {
		List<String> names = new ArrayList<>();
		try {
			send(key.userId(), "GET", owner(key, ""), null).forEach((name) -> names.add(name.asText()));
		}
		catch (SessionNotFoundException ex) {
			send(key.userId(), "GET", owner(key, State.USER_PREFIX), null).forEach((name) -> names.add(name.asText()));
		}
		return names;
	}

	private JsonNode send(String userId, String method, String path, JsonNode body) throws InterruptedException {
		return this.client.send(userId, method, path, (body != null) ? body.toString() : null, Map.of()).body();
	}

	private static String path(SessionKey key, String filename) {
		return owner(key, filename) + "/" + SessionMethods.name(filename);
	}

	/** Returns the path of the artifacts of the user or of the session. */
	private static String owner(SessionKey key, String filename) {
		String session = SessionMethods.path(key);
		return filename.startsWith(State.USER_PREFIX)
				? "/apps/" + SessionMethods.name(key.appName()) + "/users/" + SessionMethods.name(key.userId()) + "/artifacts"
				: session + "/artifacts";
	}

}
