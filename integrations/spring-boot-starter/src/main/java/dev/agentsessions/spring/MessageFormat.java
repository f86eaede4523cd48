// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes an event of a message: the message as it is in {@code customMetadata}, and what
 * the console and the search read in ADK's {@code content}. The bytes of media are in the
 * content only.
 */
final class MessageFormat {

	/** The key of the state with the ids of the events whose messages the window has. */
	static final String WINDOW = "springAiWindow";

	private static final String ITEM = "springAi";

	private static final JsonMapper JSON = ConversationSessions.JSON;

	private MessageFormat() {
	}

	/**
	 * Writes a message.
	 * @param turn the id of the turn, which begins with a message of the user
	 */
	static ObjectNode write(String id, String turn, Message message) {
		MessageType type = message.getMessageType();
		ObjectNode event = JSON.createObjectNode().put("id", id).put("invocationId", turn);
		event.put("author", switch (type) {
			case USER -> "user";
			case SYSTEM -> "system";
			default -> "assistant";
		});
		ObjectNode item = event.putObject("customMetadata").putObject(ITEM);
		item.put("type", type.name()).put("text", message.getText());
		item.set("metadata", metadata(message));
		ArrayNode parts = parts(message, item);
		if (!parts.isEmpty()) {
			event.putObject("content")
				.put("role", (type == MessageType.ASSISTANT) ? "model" : "user")
				.set("parts", parts);
		}
		return event;
	}

	/** Returns the change of the state that says which messages the window has. */
	static ObjectNode mark(ObjectNode event, List<String> window) {
		window.forEach(event.putObject("actions").putObject("stateDelta").putArray(WINDOW)::add);
		return event;
	}

	/** Returns the message of an event, or nothing if another framework stored it. */
	static Optional<Message> read(JsonNode event) {
		JsonNode item = event.path("customMetadata").path(ITEM);
		if (!item.isObject()) {
			return Optional.empty();
		}
		String text = item.path("text").stringValue(null);
		Map<String, Object> metadata = map(item.path("metadata"));
		return Optional.of(switch (MessageType.valueOf(item.path("type").asString())) {
			case USER -> UserMessage.builder().text(text).media(media(event, item)).metadata(metadata).build();
			case SYSTEM -> SystemMessage.builder().text(text).metadata(metadata).build();
			case ASSISTANT -> AssistantMessage.builder()
				.content(text)
				.properties(metadata)
				.toolCalls(list(item, "toolCalls", AssistantMessage.ToolCall.class))
				.media(media(event, item))
				.build();
			case TOOL -> ToolResponseMessage.builder()
				.responses(list(item, "responses", ToolResponseMessage.ToolResponse.class))
				.metadata(metadata)
				.build();
		});
	}

	/** Writes metadata. Values that are not JSON become text. */
	static ObjectNode json(Map<String, Object> values) {
		ObjectNode json = JSON.createObjectNode();
		values.forEach((key, value) -> json.set(key, valueOf(value)));
		return json;
	}

	/** Reads what {@link #json} has written. */
	static Map<String, Object> map(JsonNode json) {
		return JSON.convertValue(json,
				JSON.getTypeFactory().constructMapType(HashMap.class, String.class, Object.class));
	}

	/** The constructors of messages add their type. */
	private static ObjectNode metadata(Message message) {
		return json(message.getMetadata()).without("messageType");
	}

	private static JsonNode valueOf(Object value) {
		try {
			return JSON.valueToTree(value);
		}
		catch (JacksonException ex) {
			return JSON.getNodeFactory().stringNode(String.valueOf(value));
		}
	}

	private static ArrayNode parts(Message message, ObjectNode item) {
		ArrayNode parts = JSON.createArrayNode();
		if (message.getText() != null && !message.getText().isEmpty()) {
			parts.addObject().put("text", message.getText());
		}
		if (message instanceof MediaContent content && !content.getMedia().isEmpty()) {
			ArrayNode media = item.putArray("media");
			content.getMedia().forEach((file) -> writeMedia(file, media, parts));
		}
		if (message instanceof AssistantMessage assistant && assistant.hasToolCalls()) {
			item.set("toolCalls", JSON.valueToTree(assistant.getToolCalls()));
			assistant.getToolCalls()
				.forEach((call) -> named(parts, "functionCall", call.id(), call.name()).set("args",
						object(call.arguments(), "arguments")));
		}
		if (message instanceof ToolResponseMessage tool) {
			item.set("responses", JSON.valueToTree(tool.getResponses()));
			tool.getResponses()
				.forEach((response) -> named(parts, "functionResponse", response.id(), response.name()).set("response",
						object(response.responseData(), "result")));
		}
		return parts;
	}

	private static ObjectNode named(ArrayNode parts, String kind, String id, String name) {
		return parts.addObject().putObject(kind).put("id", id).put("name", name);
	}

	/** ADK has objects only; any other text becomes a field. */
	private static JsonNode object(String text, String field) {
		try {
			JsonNode read = JSON.readTree(text);
			return read.isObject() ? read : JSON.createObjectNode().set(field, read);
		}
		catch (JacksonException | IllegalArgumentException ex) {
			return JSON.createObjectNode().put(field, text);
		}
	}

	private static void writeMedia(Media file, ArrayNode media, ArrayNode parts) {
		String type = file.getMimeType().toString();
		media.addObject().put("part", parts.size()).put("id", file.getId()).put("name", file.getName());
		if (file.getData() instanceof byte[] bytes) {
			parts.addObject()
				.putObject("inlineData")
				.put("mimeType", type)
				.put("data", Base64.getEncoder().encodeToString(bytes));
		}
		else {
			parts.addObject().putObject("fileData").put("mimeType", type).put("fileUri", file.getData().toString());
		}
	}

	private static List<Media> media(JsonNode event, JsonNode item) {
		List<Media> media = new ArrayList<>();
		for (JsonNode file : item.path("media").values()) {
			JsonNode part = event.path("content").path("parts").path(file.path("part").asInt());
			boolean inline = part.has("inlineData");
			JsonNode data = part.path(inline ? "inlineData" : "fileData");
			Media.Builder builder = Media.builder()
				.mimeType(MimeTypeUtils.parseMimeType(data.path("mimeType").asString()))
				.id(file.path("id").stringValue(null))
				.name(file.path("name").stringValue(null));
			media.add((inline ? builder.data(Base64.getDecoder().decode(data.path("data").asString()))
					: builder.data(URI.create(data.path("fileUri").asString())))
				.build());
		}
		return media;
	}

	private static <T> List<T> list(JsonNode item, String field, Class<T> type) {
		return item.path(field).values().stream().map((value) -> JSON.convertValue(value, type)).toList();
	}

}
