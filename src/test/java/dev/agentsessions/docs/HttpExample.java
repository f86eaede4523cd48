package dev.agentsessions.docs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A request of a file that editors can run.
 *
 * @param title what it is for
 * @param status the status of the answer
 * @param request the request
 */
public record HttpExample(String title, int status, HttpRequest request) {

	private static final Pattern VARIABLE = Pattern.compile("^@(\\w+) = (.*)\\n", Pattern.MULTILINE);

	private static final Pattern EXAMPLE = Pattern
		.compile("^### (.*): (\\d{3}).*\\n(\\w+) (.*)\\n((?:.+\\n)*)((?:(?!###).*\\n)*)", Pattern.MULTILINE);

	/** Reads a file, against another service than the one it names. */
	public static List<HttpExample> read(Path file, String service) throws IOException {
		String text = Files.readString(file).replace("http://localhost:8080", service);
		return EXAMPLE.matcher(withVariables(text)).results().map(HttpExample::of).toList();
	}

	private static String withVariables(String text) {
		String replaced = text;
		for (MatchResult variable : VARIABLE.matcher(text).results().toList()) {
			replaced = replaced.replace("{{" + variable.group(1) + "}}", variable.group(2));
		}
		return (replaced.equals(text)) ? text : withVariables(replaced);
	}

	private static HttpExample of(MatchResult example) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(example.group(4)))
			.method(example.group(3), BodyPublishers.ofString(example.group(6).strip()));
		example.group(5)
			.lines()
			.map((line) -> line.split(": ", 2))
			.forEach((header) -> request.header(header[0], header[1]));
		return new HttpExample(example.group(1), Integer.parseInt(example.group(2)), request.build());
	}

	/** Returns the same request for another app. */
	public HttpExample at(String app) {
		URI uri = URI.create(this.request.uri().toString().replaceFirst("(?<=/(apps|reasoningEngines)/)demo", app));
		return new HttpExample(this.title, this.status,
				HttpRequest.newBuilder(this.request, (name, value) -> true).uri(uri).build());
	}

	@Override
	public String toString() {
		return this.title;
	}

}
