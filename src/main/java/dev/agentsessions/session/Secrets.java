package dev.agentsessions.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.json.JsonSpan.JsonEdits;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * How a caller sees secrets in contents. Each service applies it to what it has read
 * before anything else is done with it, so that a part of a content never leaves
 * unmasked. Names and ids stay as they are.
 */
public enum Secrets {

	/** As they were sent. An agent needs them. */
	WHOLE,

	/** With {@link CredentialMask#MASK} in their place. */
	MASKED;

	/** Returns a value as the caller sees it. */
	public JsonText of(JsonText value) {
		return (this == MASKED) ? CredentialMask.apply(value) : value;
	}

	/** Returns a text, which may be JSON, as the caller sees it. */
	public String of(String value) {
		return (this == MASKED) ? CredentialMask.apply(value) : value;
	}

	/** Returns an optional text as the caller sees it. */
	public @Nullable String ofNullable(@Nullable String value) {
		return (value != null) ? of(value) : null;
	}

	/** Returns an optional value as the caller sees it. */
	public @Nullable JsonText ofNullable(@Nullable JsonText value) {
		return (value != null) ? of(value) : null;
	}

	/** Returns an event as the caller sees it. */
	public Event of(Event event) {
		return (this == MASKED) ? new Event(event.seq(), event.commitTime(), event.id(), of(event.body())) : event;
	}

	/** Returns state as the caller sees it. Its keys count as the names of members. */
	public Map<String, JsonText> of(Map<String, JsonText> state) {
		return (this == MASKED) ? JsonObject.of(of(new JsonObject("", state).toJson())).members() : state;
	}

	/** Returns a session as the caller sees it. */
	public Session of(Session session) {
		return (this == MASKED)
				? session.seen(of(session.state()), session.events().map(this::of), of(session.details())) : session;
	}

	private SessionDetails of(SessionDetails details) {
		Map<String, String> labels = (details.labels() != null) ? new HashMap<>() : null;
		if (details.labels() != null && labels != null) {
			of(JsonObject.ofTexts(details.labels()).members())
				.forEach((name, value) -> labels.put(name, value.stringOrText()));
		}
		return new SessionDetails(ofNullable(details.displayName()), labels, details.expireTime());
	}

	/**
	 * Masks secrets in a JSON value: those of credentials, those with the name of a
	 * secret, and those in its texts. What a credential is follows ADK Python's server
	 * ({@code auth/auth_credential.py} of 2.13), which removes the same members. A mask
	 * keeps the type that ADK's models expect.
	 */
	public static final class CredentialMask {

		/** The text in place of a secret. */
		public static final String MASK = "[masked]";

		/** The members of a credential that are secret. */
		private static final Set<String> SECRET = FieldNames.spellings("password", "token", "additionalHeaders",
				"clientSecret", "authResponseUri", "authCode", "accessToken", "refreshToken", "idToken", "codeVerifier",
				"privateKeyId", "privateKey", "apiKey");

		/** The members whose values are or contain credentials. */
		private static final Set<String> CREDENTIAL = FieldNames.spellings("authConfig", "requestedAuthConfigs",
				"rawAuthCredential", "exchangedAuthCredential");

		/**
		 * The members that only credentials have: those of ADK, and those of Google's
		 * library for Python, which ADK's tools store in state.
		 */
		private static final Set<String> MARK = FieldNames.spellings("authType", "tokenUri");

		private static final String NAME = "name";

		/** The members of a header, a parameter or an environment variable in a list. */
		private static final Set<String> NAMES = Set.of(NAME, "key");

		private static final String VALUE = "value";

		private static final Set<String> MEDIA_TYPE = FieldNames.spellings("mimeType");

		private static final String DATA = "data";

		/** Only in headers, a cookie is none to eat. */
		private static final String COOKIE = "cookie";

		/** Bytes that can have a text. */
		private static final Pattern TEXT = Pattern.compile("text/.*|application/(?!pdf|zip|octet-stream|.*document).*",
				Pattern.CASE_INSENSITIVE);

		private static final Pattern HEADERS = Pattern.compile(".*headers?", Pattern.CASE_INSENSITIVE);

		private static final String REQUEST = "adk_request_credential";

		/**
		 * Credentials of ADK lie ten levels deep. A deeper value that may contain one is
		 * masked as a whole: each level costs a scan of all that is below.
		 */
		private static final int MAX_DEPTH = 32;

		private final JsonEdits edits;

		private boolean masked;

		private CredentialMask(JsonText json, int depth) {
			this.edits = new JsonEdits(json);
			visit(JsonSpan.of(json), Place.ELSEWHERE, depth);
		}

		/** Returns the value with masks in place of its secrets. */
		public static JsonText apply(JsonText json) {
			if (!mayHaveSecrets(JsonSpan.of(json))) {
				return json;
			}
			CredentialMask mask = new CredentialMask(json, 0);
			return mask.edits.isEmpty() ? json : mask.edits.result();
		}

		/** Returns a text, which may be JSON, with masks in place of its secrets. */
		public static String apply(String text) {
			if (!SecretText.mayHaveSecrets(text, 0, text.length())) {
				return text;
			}
			JsonText json = JsonStrings.of(text);
			JsonText shown = apply(json);
			return (shown == json) ? text : shown.stringOrText();
		}

		/** Returns whether a secret of the value is a mask. */
		public static boolean isIn(JsonText json) {
			return json.text().contains(MASK) && new CredentialMask(json, 0).masked;
		}

		private void visit(JsonSpan value, Place place, int depth) {
			if (depth >= MAX_DEPTH && (value.isObject() || value.isArray())) {
				visitDeep(value);
			}
			else if (value.isObject()) {
				visitMembers(value, place, depth);
			}
			else if (value.isArray()) {
				value.forEachElement((element, index) -> visit(element, place, depth + 1));
			}
			else if (place == Place.SECRET && isSecret(value)) {
				replace(value, JsonStrings.quote(MASK));
			}
			else if (value.isString()) {
				visitString(value, depth);
			}
		}

		/** An empty text and a yes or no are no secrets. */
		private static boolean isSecret(JsonSpan value) {
			return value.isString() ? value.length() > 2 : "tfn".indexOf(value.whole().charAt(value.start())) < 0;
		}

		private void visitDeep(JsonSpan value) {
			if (mayHaveSecrets(value)) {
				replace(value, JsonStrings.quote(MASK));
			}
		}

		private static boolean mayHaveSecrets(JsonSpan value) {
			return SecretText.mayHaveSecrets(value.whole(), value.start(), value.end());
		}

		/** The members are found once, because that costs a scan of all that is below. */
		private void visitMembers(JsonSpan object, Place outer, int depth) {
			List<JsonSpan.Member> members = new ArrayList<>();
			object.forEachMember(members::add);
			Place place = (outer != Place.SECRET && isCredential(members)) ? Place.CREDENTIAL : outer;
			boolean named = members.stream().anyMatch(CredentialMask::namesASecret);
			String mediaType = text(members, MEDIA_TYPE);
			for (JsonSpan.Member member : members) {
				String name = nameOf(member);
				JsonSpan value = member.value();
				if (mediaType != null && name.equals(DATA) && value.isString() && place != Place.SECRET) {
					visitBytes(value, mediaType);
				}
				else {
					boolean secret = SecretText.isName(name) || named && name.equals(VALUE)
							|| place == Place.CREDENTIAL && SECRET.contains(name)
							|| place == Place.HEADERS && name.equalsIgnoreCase(COOKIE);
					visit(value, secret ? Place.SECRET : placeOf(name, place), depth + 1);
				}
			}
		}

		private static Place placeOf(String name, Place outer) {
			if (outer == Place.CREDENTIAL || outer == Place.SECRET) {
				return outer;
			}
			return CREDENTIAL.contains(name) ? Place.CREDENTIAL
					: HEADERS.matcher(name).matches() ? Place.HEADERS : Place.ELSEWHERE;
		}

		/** Returns whether a member says that another one is a secret. */
		private static boolean namesASecret(JsonSpan.Member member) {
			return member.value().isString() && NAMES.contains(nameOf(member))
					&& SecretText.isName(textOf(member.value()));
		}

		private static boolean isCredential(List<JsonSpan.Member> members) {
			return members.stream().map(CredentialMask::nameOf).anyMatch(MARK::contains)
					|| REQUEST.equals(text(members, Set.of(NAME)));
		}

		private static @Nullable String text(List<JsonSpan.Member> members, Set<String> names) {
			return members.stream()
				.filter((member) -> names.contains(nameOf(member)) && member.value().isString())
				.map((member) -> textOf(member.value()))
				.findFirst()
				.orElse(null);
		}

		/** Keys of shared state have a prefix in events. */
		private static String nameOf(JsonSpan.Member member) {
			String name = textOf(member.name());
			return name.substring(name.lastIndexOf(':') + 1);
		}

		private static String textOf(JsonSpan value) {
			return value.toJson().stringOrText();
		}

		/** A text file in an event is a text as any other. */
		private void visitBytes(JsonSpan data, String mediaType) {
			if (!TEXT.matcher(mediaType).matches()) {
				return;
			}
			String text;
			try {
				byte[] bytes = Base64.getDecoder().decode(textOf(data).replace('-', '+').replace('_', '/'));
				text = new String(bytes, StandardCharsets.UTF_8);
			}
			catch (IllegalArgumentException ex) {
				visitString(data, 0);
				return;
			}
			this.masked |= SecretText.hasMask(text);
			String shown = apply(text);
			if (!shown.equals(text)) {
				replace(data,
						JsonStrings.quote(Base64.getEncoder().encodeToString(shown.getBytes(StandardCharsets.UTF_8))));
			}
		}

		/** Google's library writes a credential as JSON in a string. */
		private void visitString(JsonSpan string, int depth) {
			if (!mayHaveSecrets(string)) {
				return;
			}
			String text = textOf(string);
			String shown = isJson(text) ? visitJson(text, depth) : SecretText.mask(text);
			if (!shown.equals(text)) {
				replace(string, JsonStrings.quote(shown));
			}
			this.masked |= SecretText.hasMask(text);
		}

		private String visitJson(String text, int depth) {
			CredentialMask inner = new CredentialMask(new JsonText(text.strip()), depth + 1);
			this.masked |= inner.masked;
			return inner.edits.isEmpty() ? text : inner.edits.result().text();
		}

		private static boolean isJson(String text) {
			String content = text.strip();
			if (content.isEmpty() || "{[\"".indexOf(content.charAt(0)) < 0) {
				return false;
			}
			try {
				// The parser reads objects only
				JsonObject.parse("{\"content\":" + content + "}");
				return JsonSpan.of(new JsonText(content)).length() == content.length();
			}
			catch (JsonException ex) {
				return false;
			}
		}

		private void replace(JsonSpan value, String replacement) {
			this.masked |= value.toJson().text().equals(replacement);
			this.edits.replace(value, replacement);
		}

		/** Where a value is. */
		private enum Place {

			ELSEWHERE, HEADERS, CREDENTIAL, SECRET

		}

	}

}
