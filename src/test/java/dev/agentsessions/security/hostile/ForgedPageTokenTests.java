package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/** Nobody gets anywhere with a page token that the service did not give him. */
class ForgedPageTokenTests extends SecuredServiceTest {

	private static final String ENGINE = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions";

	@BeforeEach
	void makesSessions() {
		for (String user : List.of("alice", "bob")) {
			for (String id : List.of("1", "2")) {
				String session = "/apps/shop/users/" + user + "/sessions/" + user + id;
				call("POST", session).bearer(Tokens.of(user))
					.json("{\"state\":{\"secret\":\"of " + user + "\"},\"events\":[{\"id\":\"e1\",\"author\":\"a\"},"
							+ "{\"id\":\"e2\",\"author\":\"a\"}]}")
					.send();
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void showsNothingOfAnotherUserWhateverThePositionIs(PagedList list) {
		String token = list.token(this, "alice");
		for (String position : Arrays.asList("bob", "alicf", "\u0000", "")) {
			refuses(list, rewritten(token, "alice", position));
		}
		List<String> times = List.of("-9999-01-01T00:00:00Z", "1e99999999", "-1", "9".repeat(40), "\u0000", "");
		for (String time : times) {
			refuses(list, rewritten(token, "\\d{4}-[0-9T:.-]+Z|\\d{16}", time));
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusesWhatItDidNotIssue(PagedList list) {
		String token = list.token(this, "alice");
		byte[] bytes = Base64.getUrlDecoder().decode(token);
		List<String> forged = new ArrayList<>(List.of("x", "AAAA", "////", "null", token.substring(1), token + token,
				"A".repeat(4000), encoded("\n\n\n"), encoded("\u0000"), list.token(this, "bob")));
		for (int i = 0; i < bytes.length; i++) {
			byte[] changed = bytes.clone();
			changed[i] ^= 1;
			forged.add(Base64.getUrlEncoder().withoutPadding().encodeToString(changed));
			forged.add(Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, i)));
		}
		forged.stream().filter((one) -> !one.isEmpty()).forEach((one) -> refuses(list, one));
		assertThat(list.page(this, "alice", token).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void refusesATokenOfAnotherList(PagedList list) {
		String token = list.token(this, "alice");
		Stream.of(PagedList.values()).filter((other) -> other != list).forEach((other) -> refuses(other, token));
	}

	@ParameterizedTest
	@EnumSource
	void refusesATokenThatAnotherCallerWasGiven(PagedList list) {
		String token = list.token(this, "alice");
		for (Keys key : List.of(Keys.AGENT, Keys.READER, Keys.ADMINISTRATOR)) {
			HttpResponse<String> answer = call("GET", list.path("alice", token)).as(key).send();
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
		}
		String root = Tokens.ofAdministrator("alice");
		assertThat(call("GET", list.path("alice", token)).bearer(root).status()).isEqualTo(400);
	}

	@Test
	void refusesATokenOfTheUsersOfAnAppThatAnotherCallerWasGivenOrThatWasChanged() {
		String token = PagedList.next(call("GET", "/apps/shop/users?limit=1").as(Keys.ADMINISTRATOR).send());
		String next = "/apps/shop/users?limit=1&pageToken=" + token;
		assertThat(call("GET", next).as(Keys.ADMINISTRATOR).status()).isEqualTo(200);
		assertThat(call("GET", next).bearer(Tokens.ofAdministrator("root")).status()).isEqualTo(400);
		for (Keys key : List.of(Keys.AGENT, Keys.READER, Keys.FOREIGN_APP)) {
			assertThat(call("GET", next).as(key).status()).isEqualTo(400);
		}
		assertThat(call("GET", next).bearer(Tokens.of("alice")).status()).isEqualTo(400);
		byte[] bytes = Base64.getUrlDecoder().decode(token);
		for (int i = 0; i < bytes.length; i++) {
			byte[] changed = bytes.clone();
			changed[i] ^= 1;
			String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
			assertThat(call("GET", "/apps/shop/users?limit=1&pageToken=" + forged).as(Keys.ADMINISTRATOR).status())
				.isEqualTo(400);
		}
	}

	private void refuses(PagedList list, String token) {
		HttpResponse<String> answer = list.page(this, "alice", token);
		assertThat(answer.statusCode()).as("%s: %s", token, answer.body()).isEqualTo(400);
		assertThat(answer.body()).contains("INVALID_ARGUMENT", "pageToken").doesNotContain("of bob");
	}

	/** Changed in any case, also where the position has no such part. */
	private static String rewritten(String token, String what, String by) {
		String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1);
		String changed = text.replaceAll(what, by);
		return encoded(changed.equals(text) ? text + by + "x" : changed);
	}

	private static String encoded(String text) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	/** The lists of a user that come in pages. */
	enum PagedList {

		SESSIONS("/apps/shop/users/USER/sessions?limit=1"),

		SESSIONS_NEWEST_FIRST("/apps/shop/users/USER/sessions?limit=1&order=desc"),

		SESSIONS_BY_EVENT("/apps/shop/users/USER/sessions?limit=1&author=a"),

		SESSIONS_BY_PREFIX("/apps/shop/users/USER/sessions?limit=1&prefix=USER"),

		EVENTS("/apps/shop/users/USER/sessions/USER1/events?limit=1"),

		EVENTS_NEWEST_FIRST("/apps/shop/users/USER/sessions/USER1/events?limit=1&order=desc"),

		VERTEX_SESSIONS(ENGINE + "?pageSize=1&filter=user_id=%22USER%22"),

		VERTEX_SESSIONS_OLDEST_FIRST(ENGINE + "?pageSize=1&filter=user_id=%22USER%22&orderBy=update_time"),

		VERTEX_SESSIONS_BY_CREATE_TIME(ENGINE + "?pageSize=1&filter=user_id=%22USER%22&orderBy=create_time"),

		VERTEX_EVENTS(ENGINE + "/USER1/events?pageSize=1"),

		VERTEX_EVENTS_NEWEST_FIRST(ENGINE + "/USER1/events?pageSize=1&orderBy=timestamp%20desc");

		private static final Pattern NEXT = Pattern.compile("\"nextPageToken\":\"([^\"]+)\"");

		private final String path;

		PagedList(String path) {
			this.path = path;
		}

		String path(String user, String token) {
			return this.path.replace("USER", user) + "&pageToken=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
		}

		HttpResponse<String> page(SecuredServiceTest service, String user, String token) {
			return service.call("GET", path(user, token)).bearer(Tokens.of(user)).send();
		}

		String token(SecuredServiceTest service, String user) {
			HttpResponse<String> first = service.call("GET", this.path.replace("USER", user))
				.bearer(Tokens.of(user))
				.send();
			return next(first);
		}

		static String next(HttpResponse<String> first) {
			Matcher next = NEXT.matcher(first.body());
			return first.headers().firstValue("X-Next-Page-Token").orElseGet(() -> {
				assertThat(next.find()).as(first.body()).isTrue();
				return next.group(1);
			});
		}

	}

}
