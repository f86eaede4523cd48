package dev.agentsessions.security.hostile;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;

/**
 * Makes valid tokens, numbers, preconditions, filters and ids nearly valid, from a seed.
 */
final class MutationSource {

	/** More digits than any header may have. */
	private static final int DIGITS = 600_000;

	private static final int DIGITS_IN_URI = 20_000;

	private static final List<String> NUMBERS = List.of("1e99999999", "-1e99999999", "1e-99999999", "1E+2147483647",
			"1e2147483648", "-0", "-0.0", "0", "NaN", "Infinity", "-1", "0x1F", "1_000", "+1", "\uFF11", "1e5", "1.5",
			"2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e11",
			"99999999999.999999999", "253402300799.9999999", "253402300800", "-62135596800", "-62135596801",
			"-210866803200", "-210866803201", "-377705116801", "1e308", "1e400", "4713 BC", "-4713-11-24T00:00:00Z",
			"-4714-01-01T00:00:00Z", "+294277-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+18:00",
			"9999-12-31T23:59:59.999999999-18:00", "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "infinity",
			"-infinity", "now", "null", "");

	private static final List<String> PRECONDITIONS = List.of("*", "\"*\"", "*, \"1\"", "\"1\", *", "\"0\"", "\"1\"",
			"\"1\", \"2\", \"3\"", ",,\"1\",,", "W/\"1\"", "W/\"1\", \"2\"", "w/\"1\"", "W/*", "1", "\"1", "1\"",
			"\"\"", "\"", "\"1\"\"2\"", "\"1\" \"2\"", "'1'", "\"-1\"", "\"+1\"", "\"01\"", "\"1.\"", "\"1..\"",
			"\"1.zzz.5\"", "\"1.zzzzzzzzzzzzzzzzzzzzz\"", "\"1.-1.-1\"", "\"9223372036854775808\"", "\"1e99999999\"",
			"\"1-gzip\"", "\"\u0661\"", "\"1\";q=0.5");

	private static final List<String> FILTERS = List.of("user_id=\"ann\"", "user_id=\"bob\"", "user_id!=\"ann\"",
			"userId=\"ann\" OR userId=\"bob\"", "user_id=\"ann\" AND user_id=\"bob\"", "NOT user_id=\"ann\"",
			"user_id=\"*\"", "user_id:\"b\"", "user_id=\"ann\\\" OR user_id=\\\"bob\"", "user_id=ann", "user_id='bob'",
			"user_id = \"bob\" AND display_name=\"x\"", "labels.a=\"b\"", "labels.\"a b\"=\"c\"",
			"timestamp>=\"2024-01-01T00:00:00Z\"", "timestamp>\"4713 BC\"", "timestamp<\"1e99999999\"", "(", ")", "\"",
			"=", "AND", "user_id=");

	private static final List<String> NAMES = List.of("ann", "bob", "s1", "Bob", "b%6Fb", "%62ob", "bob%20", "bob%00",
			"bob;x=y", ";", "..", ".", "..%2Fbob", "ann%2F..%2Fbob", "ann%252F..%252Fbob", "ann/../bob", "ann/..;/bob",
			"ann/%2e%2e/bob", "ann//", "%2F", "%5C", "%25", "%", "%zz", "%C0%AE%C0%AE", "%ED%A0%80", "%EF%BB%BFbob",
			"bo%CC%81b", "users%2F123", "ann%0d%0aX-User:%20bob", "*", "**", "{userId}", "-", "~bob", "%u0062ob");

	private static final List<String> QUERIES = List.of("x=%ff", "%ff", "x=%ff&x=1", "%", "x=%", "x=%zz", "x=%u0041",
			"x=%00", "%00", "=", "&", "?", "x=%C0%AE", "x=%ED%A0%80", "x=" + "y".repeat(9000), "a&".repeat(1500),
			"x=1;y=2", "x=%0d%0aSet-Cookie:%20a=b", "x=\\", "at=-1", "page=%ff", "error", "user=%20", "session=..");

	/** Headers that Tomcat or Spring parses. */
	private static final List<String> HEADERS = List.of("Accept", "Accept-Charset", "Accept-Encoding",
			"Accept-Language", "Access-Control-Request-Headers", "Access-Control-Request-Method", "Authorization",
			"Cache-Control", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language",
			"Content-Length", "Content-Type", "Cookie", "Date", "DPoP", "Expect", "Forwarded", "Host", "HTTP2-Settings",
			"If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Event-ID",
			"Lease", "Limit", "Max-Forwards", "Origin", "Prefer", "Pragma", "Range", "Referer", "Sec-Fetch-Site",
			"Sec-WebSocket-Key", "TE", "Trailer", "traceparent", "tracestate", "Transfer-Encoding", "Upgrade",
			"User-Agent", "Via", "X-CSRF-TOKEN", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port",
			"X-Forwarded-Prefix", "X-Forwarded-Proto", "X-Forwarded-Ssl", "X-Http-Method-Override", "X-Request-Id",
			"X-Requested-With");

	private static final List<String> HEADER_VALUES = List.of("", ",", ";", "=", "\"", "*", "*/*", "null", "-1", "0",
			"1, 2", "99999999999999999999", "1e99999999", "%", "%zz", "\u00ff\u00fe", "\uFF11", "\u0001", "\t", "a b",
			"a/b;q=x", "a/b;q=2", "text/html;q=1;q=0", "/", "a/", "/b", "*/a", "text/event-stream", "text/html",
			"application/json; charset=utf-99", "application/json;charset=\"", "application/json;charset=UTF-16",
			"application/json;a=" + "b".repeat(9000), "multipart/form-data", "multipart/form-data; boundary=",
			"multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/x-ndjson",
			"form-data; name*=UTF-8''%ff", "form-data; filename=\"", "attachment; filename*=x''%zz", "=?UTF-8?Q?=FF?=",
			"bytes=", "bytes=-", "bytes=0-,1-,x", "bytes=5-1", "bytes=-99999999999999999999",
			"bytes=" + "0-,".repeat(3000), "for=\"[::1\"", "for=;proto=;host=:", "proto=x;host=[", "http://[",
			"http://a:99999999", "a:99999999", "[::", "::1", "a:b:c", "unknown", "https, http", "../..", "//x",
			"Mon, 99 Foo 2026 25:61:61 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "100-continue", "200-ok", "h2c",
			"websocket", "upgrade", "gzip, chunked", "gzip;q=x", "identity;q=0, *;q=0", "trailers", "Bearer",
			"Bearer a b", "Bearer .", "Bearer e30.e30.", "Basic !!!", "Digest a=\"", "Negotiate",
			"agent-sessions=x; agent-sessions=y", "agent-sessions-form=\"; =; ;", "$Version=1; a=b", "00-0-0-00",
			"00-" + "f".repeat(32) + "-" + "f".repeat(16) + "-zz", "utf-99, *;q=x", "de;q=2, en;q=-1",
			"i-x-" + "y-".repeat(500), "DELETE", "GET, " + "A".repeat(5000), "a".repeat(20_000), "a,".repeat(9000),
			"a;q=0.1,".repeat(2500), "a=b; ".repeat(4000), "\"a\",".repeat(4000), "(".repeat(9000));

	/**
	 * What may stand around the name of a parameter, at {@code #}, in UTF-8 and encoded.
	 */
	private static final List<String> AROUND_NAMES = List.of("#.x", "#.", ".#", "#.x.y", "#%5B0%5D", "#%5B%5D", "#%5B",
			"#%5Bx", "#%5Bx%5D", "#%5B-1%5D", "#%5B300%5D", "#%5B99999999999%5D", "#%5B0%5D.x", "#%5B'x'%5D", "%5B#%5D",
			"#%5D", "_#", "!#", "_#.x", "!#%5B0%5D", "#_", "#!", "#.class", "#%5B0%5D%5B0%5D", "#%5B0", "#%00", "%20#",
			"#&#");

	private final Random random;

	MutationSource(long seed) {
		this.random = new Random(seed);
	}

	<T> T oneOf(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	boolean maybe(int percent) {
		return this.random.nextInt(100) < percent;
	}

	/** A number or a time, as it may stand in a body. */
	String number() {
		return maybe(90) ? oneOf(NUMBERS) : digits(DIGITS);
	}

	/** The same, not too long for a URI, and encoded. */
	String encodedNumber() {
		return percentEncoded(maybe(90) ? oneOf(NUMBERS) : digits(DIGITS_IN_URI));
	}

	String precondition() {
		return maybe(95) ? oneOf(PRECONDITIONS) : "\"1\"" + ",\"1\"".repeat(5000);
	}

	String encodedFilter() {
		String filter = maybe(60) ? oneOf(FILTERS)
				: oneOf(FILTERS) + oneOf(List.of(" AND ", " OR ", " ", "  and", "(")) + oneOf(FILTERS);
		return percentEncoded(
				maybe(80) ? filter : filter.replaceFirst("=", Matcher.quoteReplacement("=" + " ".repeat(4000)))
						+ oneOf(List.of("", " ".repeat(4000) + "\"", "(".repeat(4000))));
	}

	/** A part of a path, encoded or not. */
	String name() {
		return oneOf(NAMES);
	}

	/** A query as it is sent, encoded or not. */
	String query() {
		return oneOf(QUERIES);
	}

	/** A page token made of others: cut, spliced, or with another place in it. */
	String token(String token, List<String> others) {
		String other = oneOf(others);
		return switch (this.random.nextInt(8)) {
			case 0 -> other;
			case 1 -> token.substring(0, this.random.nextInt(token.length() + 1));
			case 2 -> token.substring(0, token.length() / 2) + other.substring(other.length() / 2);
			case 3 -> encode(oneOf(NUMBERS));
			case 4 -> encode(broken(decode(token)));
			default -> encode(withAnotherPlace(decode(token).split("\n", -1), decode(other).split("\n", -1)));
		};
	}

	/** Lines are what a place consisted of in the first releases. */
	private String withAnotherPlace(String[] lines, String[] others) {
		boolean wholly = maybe(60);
		for (int i = 1; i < lines.length; i++) {
			lines[i] = (wholly || maybe(50)) ? others[Math.min(i, others.length - 1)]
					: maybe(70) ? oneOf(NUMBERS) : "\u0000";
		}
		return String.join("\n", lines);
	}

	private String broken(String token) {
		int place = this.random.nextInt(token.length());
		char other = (char) (token.charAt(place) ^ (1 << this.random.nextInt(8)));
		return token.substring(0, place) + other + token.substring(place + 1);
	}

	private static String encode(String token) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.ISO_8859_1));
	}

	private static String decode(String token) {
		try {
			return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1);
		}
		catch (IllegalArgumentException ex) {
			return token;
		}
	}

	/** A header line, and sometimes a second one of the same name. */
	String header() {
		String name = oneOf(HEADERS);
		String line = name + ": " + headerValue() + "\r\n";
		return maybe(80) ? line : line + name + ": " + headerValue() + "\r\n";
	}

	private String headerValue() {
		return maybe(85) ? oneOf(HEADER_VALUES)
				: oneOf(HEADER_VALUES) + oneOf(List.of(",", ";", " ")) + oneOf(HEADER_VALUES);
	}

	/** A query with the name of a parameter and something around it. */
	String query(String name) {
		String value = maybe(50) ? oneOf(List.of("1", "true", "a")) : encodedNumber();
		return oneOf(AROUND_NAMES).replace("#", name) + "=" + value + (maybe(80) ? "" : "&" + name + "=1");
	}

	private String digits(int count) {
		char[] digits = new char[count];
		Arrays.fill(digits, '7');
		return oneOf(List.of("", "-", "0.", "1e", "1.5e-")) + new String(digits);
	}

	static String percentEncoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
