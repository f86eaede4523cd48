package dev.agentsessions.session.artifact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/**
 * A URI that names a version of an artifact. Source of the format: {@code artifact_util}
 * of ADK Python 2.13, which writes names as they are. Here they may also be
 * percent-encoded, and are if they would be read as other names otherwise.
 *
 * @param name the artifact
 * @param version the number of the version
 */
public record ArtifactReference(ArtifactName name, int version) {

	private static final String SCHEME = "artifact://";

	/** An app, a user or a session: up to the next step that separates names. */
	private static final String OWNER = "((?:(?!/(?:apps|users|sessions|artifacts|versions)/).)+)";

	private static final Pattern URI = Pattern.compile(SCHEME + "apps/" + OWNER + "/users/" + OWNER + "(?:/sessions/"
			+ OWNER + ")?/artifacts/(.+)/versions/(0|[1-9]\\d{0,8})");

	/** Returns whether a URI refers to an artifact. */
	public static boolean isReference(@Nullable String uri) {
		return uri != null && uri.startsWith(SCHEME);
	}

	/**
	 * Parses a URI.
	 * @param owner the user whose artifact refers to the other one
	 * @throws SessionException.InvalidArgument if the URI names no artifact of the same
	 * app and user
	 */
	static ArtifactReference parse(String uri, StateOwner owner) {
		Matcher parts = URI.matcher(uri);
		InvalidArgument.check(parts.matches(), "fileUri",
				"must be artifact://apps/APP/users/USER[/sessions/SESSION]/artifacts/NAME/versions/NUMBER");
		StateOwner user = new StateOwner(decoded(parts.group(1)), decoded(parts.group(2)));
		InvalidArgument.check(user.equals(owner), "fileUri", "must name an artifact of the same app and user");
		String name = decoded(parts.group(4));
		String session = parts.group(3);
		return new ArtifactReference(
				(session == null) ? ArtifactName.of(user, name)
						: ArtifactName.of(new SessionName(user, decoded(session)), name),
				Integer.parseInt(parts.group(5)));
	}

	/**
	 * Returns the URI of the same artifact of another user.
	 * @param before whose artifact the URI names
	 * @throws SessionException.InvalidArgument if it names no artifact of that user
	 */
	public static String moved(String uri, StateOwner before, StateOwner now) {
		ArtifactReference reference = parse(uri, before);
		if (now.equals(before)) {
			return uri;
		}
		SessionName session = reference.name.session();
		SessionName movedSession = (session != null) ? new SessionName(now, session.sessionId()) : null;
		return uri(new ArtifactName(now, movedSession, reference.name.name()), reference.version);
	}

	/** A percent sign that begins no code is one. */
	private static String decoded(String part) {
		try {
			return UriUtils.decode(part, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return part;
		}
	}

	/** Returns the URI that ADK gives, unless it names something else when it is read. */
	static String uri(ArtifactName name, int version) {
		List<@Nullable String> parts = Arrays.asList(name.user().appName(), name.user().userId(),
				name.owner().map(SessionName::sessionId).orElse(null), name.name());
		String plain = uri(parts, version);
		Matcher read = URI.matcher(plain);
		return (read.matches() && IntStream.range(0, parts.size()).allMatch((part) -> isSame(parts, part, read)))
				? plain : uri(parts.stream().<@Nullable String>map(ArtifactReference::encoded).toList(), version);
	}

	private static boolean isSame(List<@Nullable String> parts, int part, Matcher read) {
		String group = read.group(part + 1);
		return Objects.equals(parts.get(part), (group != null) ? decoded(group) : null);
	}

	private static String uri(List<@Nullable String> parts, int version) {
		String session = (parts.get(2) != null) ? "/sessions/" + parts.get(2) : "";
		return SCHEME + "apps/" + parts.get(0) + "/users/" + parts.get(1) + session + "/artifacts/" + parts.get(3)
				+ "/versions/" + version;
	}

	private static @Nullable String encoded(@Nullable String name) {
		return (name != null) ? UriUtils.encodePathSegment(name, StandardCharsets.UTF_8) : null;
	}

}
