package dev.agentsessions.security.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import dev.agentsessions.security.Keys;
import dev.agentsessions.security.SecuredServiceTest;
import dev.agentsessions.security.Tokens;

/**
 * Requests that are right but for one thing, under every prefix and of every kind of
 * caller, also without credentials: the response comes within a minute, is no fault and
 * has no data of other callers, and the log has no line of it but that of all requests.
 * The same requests again, or others, with {@code -Dfuzz.seed=7 -Dfuzz.requests=10000}.
 */
class MutatedRequestsTests extends SecuredServiceTest {

	private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime() % 1_000_000);

	private static final int SEEDS = 4;

	/** So many of each seed. */
	private static final int REQUESTS = Integer.getInteger("fuzz.requests", 100);

	private static final int UNIMPLEMENTED = 501;

	private static final String NOBODY = "nobody";

	private static final String OF_BOB = "what-only-bob-may-read";

	private static final String OF_BANK = "what-only-the-bank-may-read";

	private static final String ANNS = "/apps/shop/users/ann/sessions";

	private static final String VERTEX = "/v1beta1/projects/p/locations/l/reasoningEngines/shop/sessions";

	private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private static final Logger TOMCAT = (Logger) LoggerFactory.getLogger("org.apache");

	private static final Pattern TOKEN = Pattern.compile("(?:nextPageToken\":\"|X-Next-Page-Token: )([^\"\\r\\n]+)");

	/** Who asks, and what they may not see. */
	private static final Map<String, List<String>> CALLERS = callers();

	/** Tokens of all kinds, so also of others. */
	private final List<String> tokens = new ArrayList<>();

	private final Map<List<String>, String> issued = new HashMap<>();

	@Autowired
	private RequestMappingHandlerMapping requestMappingHandlerMapping;

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void readsTheLog() {
		this.log.list = new CopyOnWriteArrayList<>();
		this.log.start();
		ROOT.addAppender(this.log);
		TOMCAT.setLevel(Level.INFO);
	}

	@AfterEach
	void stopsReadingTheLog() {
		TOMCAT.setLevel(null);
		ROOT.detachAppender(this.log);
	}

	@BeforeEach
	void makesSessionsOfManyAndLearnsTheirTokens() {
		for (String user : List.of("ann", "bob")) {
			for (String id : List.of("s1", "s2", "only-" + user + "s")) {
				create("shop", user, id, user.equals("bob") ? OF_BOB : "anns", Keys.AGENT);
			}
		}
		create("bank", "ann", "s1", OF_BANK, Keys.FOREIGN_APP);
		create("bank", "bob", "s2", OF_BANK, Keys.FOREIGN_APP);
		for (String query : List.of("/apps/shop/sessions?limit=1", "/apps/shop/users?limit=1", ANNS + "?limit=1",
				ANNS + "?limit=1&order=desc", "/apps/shop/users/bob/sessions?limit=1",
				"/apps/shop/users/bob/sessions/s1/events?limit=1", ANNS + "/s1/events?limit=1", VERTEX + "?pageSize=1",
				VERTEX + "?filter=user_id=%22bob%22&pageSize=1", VERTEX + "?filter=user_id=%22ann%22&pageSize=1",
				VERTEX + "/only-bobs/events?pageSize=1", VERTEX + "/only-anns/events?pageSize=1")) {
			this.tokens.add(token(query, Keys.ADMINISTRATOR.key()));
		}
		this.tokens.add(token("/apps/bank/sessions?limit=1", Keys.FOREIGN_APP.key()));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void mutatedRequestsGetNoFaultAndNoForeignData(long seed) {
		MutationSource mutations = new MutationSource(seed);
		for (int i = 0; i < REQUESTS; i++) {
			String caller = mutations.oneOf(List.copyOf(CALLERS.keySet()));
			RawRequest request = request(mutations, caller);
			String text = "-Dfuzz.seed=%d, request %d: %s".formatted(seed, i, shown(request));
			String answer = send(request);
			if (!(answer.isEmpty() && hasInvalidLine(request))) {
				assertThat(RawRequest.status(answer)).as("%s%n%s", text, answer)
					.matches((status) -> status >= 200 && status < 500 || status == UNIMPLEMENTED);
			}
			assertThat(this.log.list).as(text).isEmpty();
			this.log.list.clear();
			CALLERS.get(caller).forEach((secret) -> assertThat(answer).as(text).doesNotContain(secret));
		}
	}

	/**
	 * Returns whether the request line is not HTTP. Tomcat then closes the connection
	 * while the client may still be sending, so the client may miss the answer.
	 */
	private static boolean hasInvalidLine(RawRequest request) {
		return request.target().contains("{") || request.target().contains("\\");
	}

	static LongStream seeds() {
		System.out.printf("Mutated requests: -Dfuzz.seed=%d%n", SEED);
		return LongStream.range(SEED, SEED + SEEDS);
	}

	private RawRequest request(MutationSource mutations, String caller) {
		if (mutations.maybe(30)) {
			RouteParameter parameter = mutations.oneOf(RouteParameter.of(this.requestMappingHandlerMapping));
			return new RawRequest(parameter.method(), parameter.path() + "?" + mutations.query(parameter.name()),
					authorization(caller) + "Content-Type: application/json\r\n", "{}");
		}
		String[] line = mutations.oneOf(IncompleteRequests.LINES).split(" ");
		boolean reads = line[0].equals("GET");
		String body = reads ? "" : filled(mutations.oneOf(IncompleteRequests.BODIES), "@n", mutations::number);
		String target = filled(filled(
				filled(filled(line[1], "@n", mutations::encodedNumber), "@t",
						() -> MutationSource.percentEncoded(mutations.token(token(line[1], caller), this.tokens))),
				"@f", mutations::encodedFilter), "@i", mutations::name);
		target = filled(target, "@q", mutations::query);
		String headers = authorization(caller) + (reads ? "" : "Content-Type: application/json\r\n");
		if (mutations.maybe(30)) {
			headers += (mutations.maybe(80) ? "If-Match: " : "If-None-Match: ") + mutations.precondition() + "\r\n";
		}
		if (mutations.maybe(40)) {
			headers += mutations.header();
		}
		return new RawRequest(line[0], target, headers, body);
	}

	private static String filled(String text, String hole, Supplier<String> filling) {
		return Pattern.compile(hole).matcher(text).replaceAll((match) -> Matcher.quoteReplacement(filling.get()));
	}

	private static String shown(RawRequest request) {
		String text = request + " " + new String(request.body());
		return (text.length() > 1000) ? text.substring(0, 1000) + "... (" + text.length() + ")" : text;
	}

	private void create(String app, String user, String id, String secret, Keys key) {
		String event = "{\"author\":\"a\",\"invocationId\":\"i\",\"content\":{\"parts\":[{\"text\":\"" + secret
				+ "\"}]}}";
		call("POST", "/apps/" + app + "/users/" + user + "/sessions/" + id).as(key)
			.json("{\"state\":{\"secret\":\"" + secret + "\"},\"displayName\":\"" + secret + "\",\"events\":[" + event
					+ "," + event + "]}")
			.send();
	}

	/**
	 * The token that a caller really gets for the next page, or another's if he gets
	 * none.
	 */
	private String token(String target, String caller) {
		return this.issued.computeIfAbsent(List.of(target, caller), (unknown) -> {
			Matcher token = TOKEN.matcher(
					send(new RawRequest("GET", target.replaceFirst("&?pageToken=@t", ""), authorization(caller), "")));
			return token.find() ? token.group(1) : this.tokens.get(0);
		});
	}

	private String send(RawRequest request) {
		try {
			return request.send(port());
		}
		catch (IOException ex) {
			throw new AssertionError("No answer to " + shown(request), ex);
		}
	}

	private static String authorization(String caller) {
		return caller.equals(NOBODY) ? "" : "Authorization: Bearer " + caller + "\r\n";
	}

	private static Map<String, List<String>> callers() {
		Map<String, List<String>> callers = new LinkedHashMap<>();
		callers.put(NOBODY, List.of(OF_BOB, OF_BANK));
		callers.put(Tokens.of("ann"), List.of(OF_BOB, OF_BANK));
		callers.put(Tokens.of("eve"), List.of(OF_BOB, OF_BANK));
		callers.put(Tokens.ofAdministrator("root"), List.of(OF_BANK));
		for (Keys key : List.of(Keys.AGENT, Keys.READER, Keys.ADMINISTRATOR)) {
			callers.put(key.key(), List.of(OF_BANK));
		}
		return callers;
	}

}
