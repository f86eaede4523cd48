package dev.agentsessions.web;

import java.util.List;

import org.springframework.http.HttpHeaders;

/**
 * The HTTP headers of the dialects. Web pages of other origins may send and read these.
 */
public final class ApiHeaders {

	/** The number of the lease that a request holds. */
	public static final String LEASE = "Lease";

	/** The seq of the event in the body. */
	public static final String EVENT_SEQ = "X-Event-Seq";

	/** When the session expires. */
	public static final String EXPIRE_TIME = "X-Expire-Time";

	/** The token of the next page, if the body has no place for it. */
	public static final String NEXT_PAGE_TOKEN = "X-Next-Page-Token";

	/**
	 * The text with which a creation of a session or a save of an artifact may be
	 * repeated.
	 */
	public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

	/** Whether an earlier request has already stored the same. */
	public static final String REPLAYED = "Idempotent-Replayed";

	/** What a client stores with an artifact: a JSON object, percent-encoded. */
	public static final String CUSTOM_METADATA = "X-Custom-Metadata";

	/** The number of the version of the artifact in the body. */
	public static final String ARTIFACT_VERSION = "X-Artifact-Version";

	/** What the version in the body is: {@code bytes} or {@code text}. */
	public static final String ARTIFACT_PART = "X-Artifact-Part";

	/** The media type with which the artifact in the body was saved. */
	public static final String ARTIFACT_TYPE = "X-Artifact-Type";

	/** All headers of requests. */
	public static final List<String> OF_REQUESTS = List.of(HttpHeaders.AUTHORIZATION, "x-goog-api-key",
			HttpHeaders.CONTENT_TYPE, HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH, CUSTOM_METADATA, IDEMPOTENCY_KEY,
			LEASE, "Last-Event-ID", RequestId.HEADER);

	/** All headers of responses. */
	public static final List<String> OF_RESPONSES = List.of(HttpHeaders.ETAG, HttpHeaders.LINK, HttpHeaders.RETRY_AFTER,
			NEXT_PAGE_TOKEN, REPLAYED, EXPIRE_TIME, EVENT_SEQ, ARTIFACT_VERSION, ARTIFACT_PART, ARTIFACT_TYPE,
			RequestId.HEADER);

	private ApiHeaders() {
	}

}
