package dev.agentsessions.vertex.memory;

import java.util.Map;

import dev.agentsessions.json.FieldNames;

/**
 * The names of the fields that requests may have, by their snake_case spelling. ADK
 * Python mixes both spellings in one request. Source: {@code memory_bank_service.proto}
 * of {@code google.cloud.aiplatform.v1beta1}.
 */
final class MemoryNames {

	/** Fields of a memory. */
	static final Map<String, String> MEMORY = FieldNames.bySnakeCase("fact", "scope", "displayName", "description",
			"ttl", "expireTime", "metadata", "topics");

	/** Fields of a topic. */
	static final Map<String, String> TOPIC = FieldNames.bySnakeCase("customMemoryTopicLabel", "managedMemoryTopic");

	/** Fields of a value in metadata. */
	static final Map<String, String> VALUE = FieldNames.bySnakeCase("stringValue", "doubleValue", "boolValue",
			"timestampValue");

	/** Fields of requests about all memories of a scope. */
	static final Map<String, String> REQUEST = FieldNames.bySnakeCase("scope", "filter", "filterGroups", "force",
			"metadata", "similaritySearchParams", "simpleRetrievalParams", "vertexSessionSource",
			"directContentsSource", "directMemoriesSource", "disableConsolidation");

	/** Fields of the two kinds of retrieval. */
	static final Map<String, String> RETRIEVAL = FieldNames.bySnakeCase("searchQuery", "topK", "pageSize", "pageToken");

	/** Fields of the sources of memories. */
	static final Map<String, String> SOURCE = FieldNames.bySnakeCase("session", "events", "directMemories");

	/** Fields of an event or a memory in a source. */
	static final Map<String, String> ITEM = FieldNames.bySnakeCase("content", "eventId", "eventTime", "fact", "topics");

	private MemoryNames() {
	}

}
