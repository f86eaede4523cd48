package dev.agentsessions.security;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

/** Every route of the service, with the rule that holds for it. */
public enum Route {

	HEALTH(Rule.EVERYBODY, "GET /health", null),

	VERSION(Rule.EVERYBODY, "GET /version", null),

	API_DOCS_OF_DIALECT(Rule.EVERYBODY, "GET /v3/api-docs/{group}", null),

	API_DOCS_YAML_OF_DIALECT(Rule.EVERYBODY, "GET /v3/api-docs.yaml/{group}", null),

	SWAGGER_CONFIGURATION(Rule.EVERYBODY, "GET /v3/api-docs/swagger-config", null),

	SWAGGER_UI(Rule.EVERYBODY, "GET /swagger-ui.html", null),

	LIST_APPS(Rule.CALLERS, "GET /list-apps", null),

	LIST_APP_SESSIONS(Rule.ADMINISTERS_APP, "GET /apps/{appName}/sessions", null),

	LIST_APP_PENDING(Rule.ADMINISTERS_APP, "GET /apps/{appName}/pending", null),

	LIST_APP_USERS(Rule.ADMINISTERS_APP, "GET /apps/{appName}/users", null),

	GET_APP_USAGE(Rule.ADMINISTERS_APP, "GET /apps/{appName}/usage", null),

	GET_USER_USAGE(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/usage", null),

	GET_SESSION_USAGE(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/usage", null),

	LIST_PENDING(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/pending", null),

	GET_APP_STATE(Rule.READS_APP, "GET /apps/{appName}/state", null),

	UPDATE_APP_STATE(Rule.WRITES_APP, "PATCH /apps/{appName}/state", "{\"k\":1}"),

	ERASE_USER(Rule.ADMINISTERS_APP, "DELETE /apps/{appName}/users/{userId}", null),

	EXPORT_USER(Rule.READS_USER, "GET /apps/{appName}/users/{userId}:export", null),

	EXPORT_APP(Rule.ADMINISTERS_APP, "GET /apps/{appName}:export", null),

	IMPORT_USER(Rule.WRITES_USER, "POST /apps/{appName}/users/{userId}:import",
			"{\"kind\":\"export\",\"version\":1,\"userId\":\"ann\"}"),

	IMPORT_APP(Rule.ADMINISTERS_APP, "POST /apps/{appName}:import",
			"{\"kind\":\"export\",\"version\":1,\"userId\":\"ann\"}"),

	SEARCH_EVENTS(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/events:search", null),

	SEARCH_EVENTS_BY_BODY(Rule.READS_USER, "POST /apps/{appName}/users/{userId}/events:search", "{\"q\":\"x\"}"),

	REINDEX_APP(Rule.ADMINISTERS_APP, "POST /apps/{appName}:reindex", null),

	ADD_SESSION_TO_MEMORY(Rule.WRITES_SESSION, "PATCH /apps/{appName}/users/{userId}/memory", "{\"sessionId\":\"s1\"}"),

	LIST_MEMORIES(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/memories", null),

	CREATE_MEMORY(Rule.WRITES_USER, "POST /apps/{appName}/users/{userId}/memories", "{\"text\":\"x\"}"),

	GET_MEMORY(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/memories/{memoryId}", null),

	UPDATE_MEMORY(Rule.WRITES_USER, "PATCH /apps/{appName}/users/{userId}/memories/{memoryId}", "{\"author\":\"x\"}"),

	DELETE_MEMORY(Rule.WRITES_USER, "DELETE /apps/{appName}/users/{userId}/memories/{memoryId}", null),

	GET_USER_STATE(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/state", null),

	UPDATE_USER_STATE(Rule.WRITES_USER, "PATCH /apps/{appName}/users/{userId}/state", "{\"k\":1}"),

	LIST_SESSIONS(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/sessions", null),

	CREATE_SESSION(Rule.WRITES_USER, "POST /apps/{appName}/users/{userId}/sessions", "{}"),

	CREATE_SESSION_WITH_ID(Rule.WRITES_USER, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}", "{}"),

	GET_SESSION(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}", null),

	UPDATE_SESSION(Rule.WRITES_SESSION, "PATCH /apps/{appName}/users/{userId}/sessions/{sessionId}",
			"{\"displayName\":\"d\"}"),

	DELETE_SESSION(Rule.WRITES_SESSION, "DELETE /apps/{appName}/users/{userId}/sessions/{sessionId}", null),

	RENDER_TEMPLATE(Rule.READS_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}:render",
			"{\"template\":\"t\"}"),

	ACQUIRE_LEASE(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}:acquire",
			"{\"holder\":\"h\"}"),

	RELEASE_LEASE(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}:release", null),

	GET_SESSION_STATE(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/state", null),

	FORK_SESSION(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}:fork", "{}"),

	REWIND_SESSION(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}:rewind",
			"{\"beforeInvocationId\":\"i\"}"),

	LIST_EVENTS(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/events", null),

	WATCH_EVENTS(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/events:watch", null),

	APPEND_EVENT(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}/events",
			"{\"author\":\"a\"}"),

	APPEND_EVENTS(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}/events:batch",
			"{\"events\":[{\"author\":\"a\"}]}"),

	GET_EVENTS(Rule.READS_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}/events:get",
			"{\"ids\":[\"e1\"]}"),

	GET_EVENT(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/events/{eventId}", null),

	GET_PART(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/events/{eventId}/parts/{part}", null),

	SAVE_ARTIFACT(Rule.WRITES_SESSION, "POST /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts",
			"{\"filename\":\"f\",\"artifact\":{\"text\":\"x\"}}"),

	GET_ARTIFACT_NAMES(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts", null),

	LIST_ARTIFACTS(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts:list", null),

	PUT_ARTIFACT(Rule.WRITES_SESSION, "PUT /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}",
			"{}"),

	GET_ARTIFACT(Rule.READS_SESSION, "GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}",
			null),

	DELETE_ARTIFACT(Rule.WRITES_SESSION,
			"DELETE /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}", null),

	GET_ARTIFACT_VERSIONS(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions", null),

	GET_ARTIFACT_VERSIONS_METADATA(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions/metadata", null),

	GET_ARTIFACT_VERSION(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions/{version}", null),

	DELETE_ARTIFACT_VERSION(Rule.WRITES_SESSION,
			"DELETE /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions/{version}", null),

	GET_ARTIFACT_METADATA(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions/{version}/metadata",
			null),

	GET_ARTIFACT_CONTENT(Rule.READS_SESSION,
			"GET /apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts/{artifact}/versions/{version}:content",
			null),

	SAVE_ARTIFACT_OF_USER(Rule.WRITES_USER, "POST /apps/{appName}/users/{userId}/artifacts",
			"{\"filename\":\"f\",\"artifact\":{\"text\":\"x\"}}"),

	GET_ARTIFACT_NAMES_OF_USER(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/artifacts", null),

	LIST_ARTIFACTS_OF_USER(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/artifacts:list", null),

	PUT_ARTIFACT_OF_USER(Rule.WRITES_USER, "PUT /apps/{appName}/users/{userId}/artifacts/{artifact}", "{}"),

	GET_ARTIFACT_OF_USER(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/artifacts/{artifact}", null),

	DELETE_ARTIFACT_OF_USER(Rule.WRITES_USER, "DELETE /apps/{appName}/users/{userId}/artifacts/{artifact}", null),

	GET_ARTIFACT_VERSIONS_OF_USER(Rule.READS_USER, "GET /apps/{appName}/users/{userId}/artifacts/{artifact}/versions",
			null),

	GET_ARTIFACT_VERSIONS_METADATA_OF_USER(Rule.READS_USER,
			"GET /apps/{appName}/users/{userId}/artifacts/{artifact}/versions/metadata", null),

	GET_ARTIFACT_VERSION_OF_USER(Rule.READS_USER,
			"GET /apps/{appName}/users/{userId}/artifacts/{artifact}/versions/{version}", null),

	DELETE_ARTIFACT_VERSION_OF_USER(Rule.WRITES_USER,
			"DELETE /apps/{appName}/users/{userId}/artifacts/{artifact}/versions/{version}", null),

	GET_ARTIFACT_METADATA_OF_USER(Rule.READS_USER,
			"GET /apps/{appName}/users/{userId}/artifacts/{artifact}/versions/{version}/metadata", null),

	GET_ARTIFACT_CONTENT_OF_USER(Rule.READS_USER,
			"GET /apps/{appName}/users/{userId}/artifacts/{artifact}/versions/{version}:content", null),

	VERTEX_LIST_SESSIONS(Rule.READS_USER,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions",
			null),

	VERTEX_CREATE_SESSION(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions",
			"{\"userId\":\"ann\"}"),

	VERTEX_GET_SESSION(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}",
			null),

	VERTEX_UPDATE_SESSION(Rule.WRITES_SESSION,
			"PATCH /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}",
			"{\"displayName\":\"d\"}"),

	VERTEX_DELETE_SESSION(Rule.WRITES_SESSION,
			"DELETE /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}",
			null),

	VERTEX_LIST_EVENTS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}/events",
			null),

	VERTEX_APPEND_EVENT(Rule.WRITES_SESSION,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}:appendEvent",
			"{\"author\":\"a\",\"invocationId\":\"i\"}"),

	VERTEX_GET_OPERATION(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/operations/{operation}",
			null),

	VERTEX_GET_OPERATION_OF_SESSION(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/sessions/{sessionId}/operations/{operation}",
			null),

	VERTEX_LIST_SESSIONS_EXPRESS(Rule.READS_USER, "GET /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions", null),

	VERTEX_CREATE_SESSION_EXPRESS(Rule.WRITES_USER, "POST /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions",
			"{\"userId\":\"ann\"}"),

	VERTEX_GET_SESSION_EXPRESS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}", null),

	VERTEX_UPDATE_SESSION_EXPRESS(Rule.WRITES_SESSION,
			"PATCH /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}", "{\"displayName\":\"d\"}"),

	VERTEX_DELETE_SESSION_EXPRESS(Rule.WRITES_SESSION,
			"DELETE /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}", null),

	VERTEX_LIST_EVENTS_EXPRESS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}/events", null),

	VERTEX_APPEND_EVENT_EXPRESS(Rule.WRITES_SESSION,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}:appendEvent",
			"{\"author\":\"a\",\"invocationId\":\"i\"}"),

	VERTEX_GET_OPERATION_EXPRESS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/operations/{operation}", null),

	VERTEX_GET_OPERATION_OF_SESSION_EXPRESS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/sessions/{sessionId}/operations/{operation}", null),

	VERTEX_GET_OPERATION_OF_PLACE(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/operations/{operation}", null),

	VERTEX_LIST_MEMORIES(Rule.READS_USER,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories",
			null),

	VERTEX_CREATE_MEMORY(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"fact\":\"x\"}"),

	VERTEX_GET_MEMORY(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories/{memoryId}",
			null),

	VERTEX_UPDATE_MEMORY(Rule.WRITES_SESSION,
			"PATCH /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories/{memoryId}",
			"{\"fact\":\"x\"}"),

	VERTEX_DELETE_MEMORY(Rule.WRITES_SESSION,
			"DELETE /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories/{memoryId}",
			null),

	VERTEX_RETRIEVE_MEMORIES(Rule.READS_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories:retrieve",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"}}"),

	VERTEX_GENERATE_MEMORIES(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories:generate",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"directMemoriesSource\":{}}"),

	VERTEX_INGEST_EVENTS(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories:ingestEvents",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"directContentsSource\":{}}"),

	VERTEX_PURGE_MEMORIES(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories:purge",
			"{\"filter\":\"scope={\\\"app_name\\\":\\\"shop\\\",\\\"user_id\\\":\\\"ann\\\"}\"}"),

	VERTEX_RETRIEVE_PROFILES(Rule.READS_USER,
			"POST /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories:retrieveProfiles",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"}}"),

	VERTEX_MEMORY_REVISIONS(Rule.UNIMPLEMENTED,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories/{memoryId}/revisions/**",
			null),

	VERTEX_ROLLBACK_MEMORY(Rule.UNIMPLEMENTED,
			"GET /{version:v1|v1beta1}/projects/{project}/locations/{location}/reasoningEngines/{engine}/memories/{memoryId}:rollback",
			null),

	VERTEX_LIST_MEMORIES_EXPRESS(Rule.READS_USER, "GET /{version:v1|v1beta1}/reasoningEngines/{engine}/memories", null),

	VERTEX_CREATE_MEMORY_EXPRESS(Rule.WRITES_USER, "POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"fact\":\"x\"}"),

	VERTEX_GET_MEMORY_EXPRESS(Rule.READS_SESSION,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/memories/{memoryId}", null),

	VERTEX_UPDATE_MEMORY_EXPRESS(Rule.WRITES_SESSION,
			"PATCH /{version:v1|v1beta1}/reasoningEngines/{engine}/memories/{memoryId}", "{\"fact\":\"x\"}"),

	VERTEX_DELETE_MEMORY_EXPRESS(Rule.WRITES_SESSION,
			"DELETE /{version:v1|v1beta1}/reasoningEngines/{engine}/memories/{memoryId}", null),

	VERTEX_RETRIEVE_MEMORIES_EXPRESS(Rule.READS_USER,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories:retrieve",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"}}"),

	VERTEX_GENERATE_MEMORIES_EXPRESS(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories:generate",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"directMemoriesSource\":{}}"),

	VERTEX_INGEST_EVENTS_EXPRESS(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories:ingestEvents",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"},\"directContentsSource\":{}}"),

	VERTEX_PURGE_MEMORIES_EXPRESS(Rule.WRITES_USER,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories:purge",
			"{\"filter\":\"scope={\\\"app_name\\\":\\\"shop\\\",\\\"user_id\\\":\\\"ann\\\"}\"}"),

	VERTEX_RETRIEVE_PROFILES_EXPRESS(Rule.READS_USER,
			"POST /{version:v1|v1beta1}/reasoningEngines/{engine}/memories:retrieveProfiles",
			"{\"scope\":{\"app_name\":\"shop\",\"user_id\":\"ann\"}}"),

	VERTEX_MEMORY_REVISIONS_EXPRESS(Rule.UNIMPLEMENTED,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/memories/{memoryId}/revisions/**", null),

	VERTEX_ROLLBACK_MEMORY_EXPRESS(Rule.UNIMPLEMENTED,
			"GET /{version:v1|v1beta1}/reasoningEngines/{engine}/memories/{memoryId}:rollback", null),

	VERTEX_UNKNOWN(Rule.NOBODY, "GET /{version:v1|v1beta1}/projects/**", null),

	VERTEX_UNKNOWN_EXPRESS(Rule.NOBODY, "GET /{version:v1|v1beta1}/reasoningEngines/**", null);

	/** Without a scope, dialect 2 lists the memories of all. */
	private static final String SCOPE = "?filter="
			+ URLEncoder.encode("scope={\"app_name\":\"shop\",\"user_id\":\"ann\"}", StandardCharsets.UTF_8);

	private final Rule rule;

	private final String methodAndPattern;

	private final @Nullable String body;

	Route(Rule rule, String methodAndPattern, @Nullable String body) {
		this.rule = rule;
		this.methodAndPattern = methodAndPattern;
		this.body = body;
	}

	Rule rule() {
		return this.rule;
	}

	/**
	 * A request about a session of the app shop.
	 * @param user the user, as he is spelled in a path
	 * @param query added to the address
	 */
	public Call call(BiFunction<String, String, Call> calls, String user, String sessionId, String query) {
		String operation = Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(("CREATE/shop/" + sessionId).getBytes());
		String[] methodAndPath = this.methodAndPattern.replace("{appName}", "shop")
			.replace("{userId}", user)
			.replace("{sessionId}", sessionId)
			.replace("{eventId}", "e1")
			.replace("{part}", "0")
			.replace("{memoryId}", "m-" + sessionId)
			.replace("{artifact}", removes() ? "other" : names("sessionId") ? "a" : "a-" + sessionId)
			.replaceFirst("\\{version}", "0")
			.replace("{group}", "adk")
			.replace("{version:v1|v1beta1}", "v1beta1")
			.replace("{engine}", "shop")
			.replaceAll("\\{(project|location)}|\\*\\*", "x")
			.replace("{operation}", operation)
			.replaceFirst("(reasoningEngines/shop/sessions)$", "$1" + query())
			.replaceFirst("^(GET .*reasoningEngines/shop/memories)$", "$1" + SCOPE)
			.replaceFirst("^(GET .*/events:search)$", "$1?q=x")
			.split(" ");
		String separator = methodAndPath[1].contains("?") ? "&" : "?";
		Call call = calls.apply(methodAndPath[0], methodAndPath[1] + (query.isEmpty() ? "" : separator + query));
		if (this == RELEASE_LEASE) {
			call.header("Lease", "17");
		}
		if (this.body == null) {
			return call;
		}
		return this.methodAndPattern.endsWith(":import") ? call.lines(this.body) : call.json(this.body);
	}

	/** Whether the path names something: a user, or a session. */
	public boolean names(String variable) {
		return this.methodAndPattern.contains("{" + variable + "}");
	}

	/** Whether it removes a session or a user. */
	public boolean removes() {
		return this.methodAndPattern.startsWith("DELETE");
	}

	/** Whether it answers page by page. */
	boolean lists() {
		return name().contains("LIST") && this != LIST_APPS;
	}

	/** Without a user, dialect 2 lists the sessions of all. */
	private String query() {
		return this.methodAndPattern.startsWith("GET") ? "?filter=user_id=%22ann%22" : "";
	}

	@Override
	public String toString() {
		return this.methodAndPattern;
	}

}
