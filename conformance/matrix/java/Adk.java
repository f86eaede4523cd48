import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.Event;
import com.google.adk.sessions.Session;
import com.google.common.primitives.Primitives;
import com.google.genai.types.FunctionResponsePart;
import com.google.genai.types.Part;
import dev.agentsessions.client.AgentSessionService;

/**
 * Writes every field that events of ADK Java have, and copies sessions, through the
 * client of this project: {@code write SESSION}, {@code copy FROM TO}.
 */
public final class Adk {

	private static final ObjectMapper JSON = JsonBaseModel.getMapper();

	/** In Base64 +/++Pj8h, and -_--Pj8h in the other alphabet. */
	private static final byte[] BYTES = { -5, -1, -66, 62, 63, 33 };

	private static final long START = 1767225600123L;

	/**
	 * Fields with values of the program's own. No service stores what is partial.
	 */
	private static final Set<String> OWN = Set.of("id", "author", "invocationId", "timestamp", "partial", "content");

	/** Of a part only one of these may be set; the others stand beside a text. */
	private static final Set<String> KINDS = Set.of("text", "inlineData", "fileData", "functionCall", "functionResponse",
			"executableCode", "codeExecutionResult", "toolCall", "toolResponse");

	private static final Map<String, Object> CREDENTIAL = Map.of("authType", "oauth2", "oauth2",
			Map.of("clientId", "c", "clientSecret", "s", "expiresAt", 7));

	private static final Map<String, Object> AUTH = Map.of("authScheme", Map.of("type", "apiKey", "in", "header", "name", "n"),
			"rawAuthCredential", CREDENTIAL, "exchangedAuthCredential", CREDENTIAL, "credentialKey", "k");

	/** An entry has one value. */
	private static final List<Map<String, Object>> METADATA = List.of(Map.of("key", "text", "stringValue", "v"),
			Map.of("key", "number", "numericValue", 1.25),
			Map.of("key", "texts", "stringListValue", Map.of("values", List.of("v", "w"))));

	private static final Map<String, Object> GIVEN = Map.of("mimeType", "image/png", "startTimestamp", START,
			"endTimestamp", START + 1000, "requestedAuthConfigs", Map.of("some_key", AUTH), "customMetadata", METADATA);

	private static final Map<Class<?>, Object> SIMPLE = Map.of(Integer.class, 7, Long.class, 7, Float.class, 1.25,
			Double.class, 1.25, Boolean.class, true, byte[].class, BYTES, Duration.class, Duration.ofMillis(2500),
			Object.class, Map.of("some_key", Arrays.asList(1, null, "x")));

	private Adk() {
	}

	public static void main(String... arguments) {
		AgentSessionService service = new AgentSessionService();
		boolean writes = arguments[0].equals("write");
		List<Event> events = writes ? events()
				: service.getSession("matrix", "u", arguments[1], Optional.empty()).blockingGet().events();
		String name = arguments[arguments.length - 1];
		Session session = service.createSession("matrix", "u", new ConcurrentHashMap<>(), name).blockingGet();
		events.forEach((event) -> service.appendEvent(session, event).blockingGet());
		System.exit(0); // without waiting for idle threads
	}

	/** One event for each field of a part, and one for each field of an event. */
	private static List<Event> events() {
		Stream<ObjectNode> ofParts = fields(JSON.constructType(Part.class)).entrySet().stream().map((field) -> {
			ObjectNode event = JSON.createObjectNode();
			ObjectNode part = event.putObject("content").put("role", "model").putArray("parts").addObject();
			part.set(field.getKey(), field.getValue());
			return KINDS.contains(field.getKey()) ? event : withText(event, part);
		});
		Stream<ObjectNode> ofEvents = fields(JSON.constructType(Event.class)).entrySet()
			.stream()
			.filter((field) -> !OWN.contains(field.getKey()))
			.map((field) -> JSON.createObjectNode().set(field.getKey(), field.getValue()));
		List<ObjectNode> all = Stream.concat(ofParts, ofEvents).toList();
		return IntStream.range(0, all.size()).mapToObj((number) -> event(number, all.get(number))).toList();
	}

	private static ObjectNode withText(ObjectNode event, ObjectNode part) {
		part.put("text", "t");
		return event;
	}

	private static Event event(int number, ObjectNode fields) {
		fields.put("id", "e-" + number).put("author", "agent").put("invocationId", "i-1").put("timestamp", START + number * 1000L);
		return JsonBaseModel.fromJsonString(fields.toString(), Event.class);
	}

	private static Map<String, JsonNode> fields(JavaType type) {
		Map<String, JsonNode> fields = new TreeMap<>();
		for (BeanPropertyDefinition field : JSON.getSerializationConfig().introspect(type).findProperties()) {
			if (field.couldSerialize()) {
				Object given = GIVEN.get(field.getName());
				Object value = (given != null) ? given : value(field.getName(), field.getAccessor().getType());
				fields.put(field.getName(), JSON.valueToTree(value));
			}
		}
		return fields;
	}

	/** Returns a value of a type, with all fields that it has. */
	private static Object value(String name, JavaType type) {
		if (type.isReferenceType()) { // Optional
			return value(name, type.getReferencedType());
		}
		if (type.isMapLikeType()) {
			return Map.of("some_key", value(name, type.getContentType()));
		}
		if (type.isCollectionLikeType()) {
			return type.getContentType().hasRawClass(FunctionResponsePart.class) ? alternatives(type.getContentType())
					: List.of(value(name, type.getContentType()));
		}
		if (type.hasRawClass(Part.class)) {
			return Map.of("inlineData", Map.of("data", BYTES, "mimeType", "image/png"), "thoughtSignature", BYTES);
		}
		Object simple = SIMPLE.get(Primitives.wrap(type.getRawClass()));
		if (simple != null) {
			return simple;
		}
		return type.hasRawClass(String.class) ? name : constant(type.getRawClass()).orElseGet(() -> fields(type));
	}

	/** Returns a value for each field, images before files: ADK Rust keeps no order between them. */
	private static List<Map<String, JsonNode>> alternatives(JavaType type) {
		return fields(type).entrySet()
			.stream()
			.sorted(Map.Entry.<String, JsonNode>comparingByKey().reversed())
			.map((field) -> Map.of(field.getKey(), field.getValue()))
			.toList();
	}

	/** Returns a value of a type that has names for its values. */
	private static Optional<Object> constant(Class<?> type) {
		return Stream.of(type.getDeclaredClasses())
			.filter(Class::isEnum)
			.<Object>flatMap((names) -> Stream.of(names.getEnumConstants()))
			.filter((name) -> !name.toString().contains("UNSPECIFIED"))
			.findFirst();
	}

}
