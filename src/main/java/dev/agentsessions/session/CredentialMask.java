package dev.agentsessions.session;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonEdits;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * Masks the secrets of credentials in a JSON value. The rule follows ADK Python's server
 * ({@code auth/auth_credential.py} of 2.13), which removes the same members. A mask keeps
 * the type that ADK's models expect.
 */
public final class CredentialMask {

	/** The text in place of a secret. */
	public static final String MASK = "[masked]";

	/** The members of a credential that are secret. */
	private static final Set<String> SECRET = bothCases("password", "token", "additionalHeaders", "clientSecret",
			"authResponseUri", "authCode", "accessToken", "refreshToken", "idToken", "codeVerifier", "privateKeyId",
			"privateKey", "apiKey");

	/** The members whose values are or contain credentials. */
	private static final Set<String> CREDENTIAL = bothCases("authConfig", "requestedAuthConfigs", "rawAuthCredential",
			"exchangedAuthCredential");

	/**
	 * The members that only credentials have: those of ADK, and those of Google's library
	 * for Python, which ADK's tools store in state.
	 */
	private static final Set<String> MARK = bothCases("authType", "tokenUri");

	private static final Set<String> NAME = Set.of("name");

	private static final String REQUEST = "\"adk_request_credential\"";

	/**
	 * Texts without this contain no credential. A name can be written with escapes of
	 * ASCII characters.
	 */
	private static final Pattern HINT = Pattern
		.compile("auth_?(type|config|credential)|request_credential|token_?uri|\\\\u00", Pattern.CASE_INSENSITIVE);

	private final JsonEdits edits;

	private boolean masked;

	private CredentialMask(JsonText json) {
		this.edits = new JsonEdits(json);
		visit(JsonSpan.of(json), Place.ELSEWHERE);
	}

	/** Returns the value with masks in place of its secrets. */
	static JsonText apply(JsonText json) {
		if (!HINT.matcher(json.text()).find()) {
			return json;
		}
		CredentialMask mask = new CredentialMask(json);
		return mask.edits.isEmpty() ? json : mask.edits.result();
	}

	/** Returns whether a secret of the value is a mask. */
	public static boolean isIn(JsonText json) {
		return json.text().contains(MASK) && new CredentialMask(json).masked;
	}

	private void visit(JsonSpan value, Place place) {
		if (value.isObject()) {
			visitMembers(value, (place == Place.ELSEWHERE && isCredential(value)) ? Place.CREDENTIAL : place);
		}
		else if (value.isArray()) {
			value.forEachElement((element, index) -> visit(element, place));
		}
		else if (place == Place.SECRET && !value.isNull()) {
			replace(value, JsonStrings.quote(MASK));
		}
		else if (value.isString()) {
			visitString(value);
		}
	}

	private void visitMembers(JsonSpan object, Place place) {
		object.forEachMember((member) -> {
			String name = member.name().toJson().stringOrText();
			boolean secret = place == Place.CREDENTIAL && SECRET.contains(name);
			boolean credential = place == Place.ELSEWHERE && CREDENTIAL.contains(name);
			visit(member.value(), secret ? Place.SECRET : credential ? Place.CREDENTIAL : place);
		});
	}

	private static boolean isCredential(JsonSpan object) {
		return object.has(MARK)
				|| object.only(NAME).filter((name) -> name.value().toJson().text().equals(REQUEST)).isPresent();
	}

	/** Google's library writes a credential as JSON in a string. */
	private void visitString(JsonSpan string) {
		JsonText text = string.toJson();
		if (!HINT.matcher(text.text()).find()) {
			return;
		}
		try {
			JsonText content = new JsonText(text.stringOrText());
			JsonObject.parse(content.text());
			CredentialMask inner = new CredentialMask(content);
			if (!inner.edits.isEmpty()) {
				replace(string, JsonStrings.quote(inner.edits.result().text()));
			}
			this.masked |= inner.masked;
		}
		catch (JsonException ex) {
			// Any other text
		}
	}

	private void replace(JsonSpan value, String replacement) {
		this.masked |= value.toJson().text().equals(replacement);
		this.edits.replace(value, replacement);
	}

	private static Set<String> bothCases(String... camelCase) {
		return Stream.concat(Stream.of(camelCase), FieldNames.bySnakeCase(camelCase).keySet().stream())
			.collect(Collectors.toUnmodifiableSet());
	}

	/** Where a value is. */
	private enum Place {

		ELSEWHERE, CREDENTIAL, SECRET

	}

}
