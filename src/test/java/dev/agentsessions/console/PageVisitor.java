package dev.agentsessions.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Bodies;

/** Somebody who looks at pages and sends forms, as a browser does, without one. */
public final class PageVisitor {

	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

	private static final Pattern LINK = Pattern
		.compile(" (?:href|src|action|hx-get|data-watch|data-tail)=\"([^\"]*)\"");

	private final int port;

	private final Map<String, String> cookies = new LinkedHashMap<>();

	public PageVisitor(int port) {
		this.port = port;
	}

	/** Asks for a page; headers come as names and values in turn. */
	public Answer get(String path, String... headers) {
		return send(request(path, headers).GET());
	}

	/** Fills in the form of a page, and sends it. */
	public Answer submit(String page, String action, String... fields) {
		return post(action, "_csrf=" + formToken(page) + form(fields));
	}

	/** Returns what the forms of a page send beside their fields. */
	public String formToken(String page) {
		Matcher token = TOKEN.matcher(get(page).body());
		if (!token.find()) {
			throw new IllegalStateException("No form at " + page);
		}
		return token.group(1);
	}

	/** Sends a form as it is; headers come as names and values in turn. */
	public Answer post(String path, String form, String... headers) {
		return send(request(path, headers).header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form)));
	}

	/** Signs in with a key or a token. */
	public Answer signIn(String credentials) {
		return submit("/console", "/console/sign-in", "credentials", credentials);
	}

	public Map<String, String> cookies() {
		return this.cookies;
	}

	/** All addresses that a page names. */
	public static List<String> links(Answer page) {
		return LINK.matcher(page.body())
			.results()
			.map((link) -> link.group(1).replace("&amp;", "&").replace("&#39;", "'"))
			.distinct()
			.toList();
	}

	private static String form(String... fields) {
		StringBuilder form = new StringBuilder();
		for (int i = 0; i < fields.length; i += 2) {
			form.append('&').append(fields[i]).append('=').append(encode(fields[i + 1]));
		}
		return form.toString();
	}

	static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	private HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
			.timeout(Duration.ofMinutes(1));
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		if (!this.cookies.isEmpty()) {
			request.header("Cookie",
					this.cookies.entrySet()
						.stream()
						.map((cookie) -> cookie.getKey() + "=" + cookie.getValue())
						.collect(Collectors.joining("; ")));
		}
		return request;
	}

	private Answer send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = CLIENT.send(request.build(), Bodies.text());
			response.headers().allValues("Set-Cookie").forEach(this::keep);
			return new Answer(response.statusCode(), response.headers(), response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void keep(String cookie) {
		String[] nameAndValue = cookie.substring(0, cookie.indexOf(';')).split("=", 2);
		if (cookie.contains("Max-Age=0")) {
			this.cookies.remove(nameAndValue[0]);
		}
		else {
			this.cookies.put(nameAndValue[0], nameAndValue[1]);
		}
	}

}
