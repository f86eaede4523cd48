package dev.agentsessions.session;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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

	private static final String NAME = "name";

	private static final String REQUEST = "adk_request_credential";

	/**
	 * Credentials of ADK lie ten levels deep. A deeper value that may contain one is
	 * masked as a whole: each level costs a scan of all that is below.
	 */
	private static final int MAX_DEPTH = 32;

	/**
	 * Texts without this contain no credential. A name can be written with escapes of
	 * ASCII characters.
	 */
	private static final Pattern HINT = Pattern
		.compile("auth_?(type|config|credential)|request_credential|token_?uri|\\\\u00", Pattern.CASE_INSENSITIVE);

	private final JsonEdits edits;

	private boolean masked;

	private CredentialMask(JsonText json, int depth) {
		this.edits = new JsonEdits(json);
		visit(JsonSpan.of(json), Place.ELSEWHERE, depth);
	}

	/** Returns the value with masks in place of its secrets. */
	static JsonText apply(JsonText json) {
		if (!HINT.matcher(json.text()).find()) {
			return json;
		}
		CredentialMask mask = new CredentialMask(json, 0);
		return mask.edits.isEmpty() ? json : mask.edits.result();
	}

	/** Returns whether a secret of the value is a mask. */
	public static boolean isIn(JsonText json) {
		return json.text().contains(MASK) && new CredentialMask(json, 0).masked;
	}

	private void visit(JsonSpan value, Place place, int depth) {
		if (depth == MAX_DEPTH && (value.isObject() || value.isArray())) {
			visitDeep(value);
		}
		else if (value.isObject()) {
			visitMembers(value, (place == Place.ELSEWHERE && isCredential(value)) ? Place.CREDENTIAL : place, depth);
		}
		else if (value.isArray()) {
			value.forEachElement((element, index) -> visit(element, place, depth + 1));
		}
		else if (place == Place.SECRET && !value.isNull()) {
			replace(value, JsonStrings.quote(MASK));
		}
		else if (value.isString()) {
			visitString(value, depth);
		}
	}

	private void visitDeep(JsonSpan value) {
		if (HINT.matcher(value.whole()).region(value.start(), value.end()).find()) {
			replace(value, JsonStrings.quote(MASK));
		}
	}

	private void visitMembers(JsonSpan object, Place place, int depth) {
		object.forEachMember((member) -> {
			String name = nameOf(member);
			boolean secret = place == Place.CREDENTIAL && SECRET.contains(name);
			boolean credential = place == Place.ELSEWHERE && CREDENTIAL.contains(name);
			visit(member.value(), secret ? Place.SECRET : credential ? Place.CREDENTIAL : place, depth + 1);
		});
	}

	private static boolean isCredential(JsonSpan object) {
		AtomicBoolean found = new AtomicBoolean();
		object.forEachMember((member) -> {
			String name = nameOf(member);
			if (MARK.contains(name) || name.equals(NAME) && member.value().toJson().stringOrText().equals(REQUEST)) {
				found.set(true);
			}
		});
		return found.get();
	}

	/** Keys of shared state have a prefix in events. */
	private static String nameOf(JsonSpan.Member member) {
		String name = member.name().toJson().stringOrText();
		return name.substring(name.lastIndexOf(':') + 1);
	}

	/** Google's library writes a credential as JSON in a string. */
	private void visitString(JsonSpan string, int depth) {
		if (!HINT.matcher(string.whole()).region(string.start(), string.end()).find()) {
			return;
		}
		String content = string.toJson().stringOrText().strip();
		try {
			// The parser reads objects only
			JsonObject.parse("{\"content\":" + content + "}");
		}
		catch (JsonException ex) {
			return;
		}
		CredentialMask inner = new CredentialMask(new JsonText(content), depth + 1);
		if (!inner.edits.isEmpty()) {
			replace(string, JsonStrings.quote(inner.edits.result().text()));
		}
		this.masked |= inner.masked;
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
