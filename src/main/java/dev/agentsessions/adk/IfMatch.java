package dev.agentsessions.adk;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ETag;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * The preconditions of a request, from the header {@code If-Match} and the parameter
 * {@code lastUpdateTime}. As in RFC 9110, one of several tags has to match, {@code *}
 * matches any version, and a weak tag matches nothing.
 *
 * @param alternatives the preconditions, one of which has to hold
 */
public record IfMatch(List<Precondition> alternatives) {

	/** Each distinct tag can cost as much as a request with that tag alone. */
	private static final int MAX_TAGS = 16;

	private static final String TAG = "(?:W/)?\"[^\"\\x00-\\x20\\x7F]++\"";

	/** Tags separated by commas. RFC 9110 also allows empty list elements. */
	private static final Pattern TAGS = Pattern
		.compile("[ \\t,]*+" + TAG + "(?:[ \\t]*+,[ \\t,]*+" + TAG + ")*+[ \\t,]*+");

	private static final Pattern WITHOUT_QUOTES = Pattern.compile("\\d{1,18}");

	/**
	 * Parses the header and the parameter.
	 * @throws SessionException.InvalidArgument if one of them has an invalid format
	 */
	public static IfMatch of(@Nullable String header, @Nullable String lastUpdateTime) {
		List<Precondition> tags = (header != null) ? tags(header.strip()) : List.of(Precondition.NONE);
		return new IfMatch((lastUpdateTime != null)
				? tags.stream().map((tag) -> tag.after(Timestamps.parse("lastUpdateTime", lastUpdateTime))).toList()
				: tags);
	}

	private static List<Precondition> tags(String header) {
		if (WITHOUT_QUOTES.matcher(header).matches()) {
			return List.of(EntityTag.precondition(header));
		}
		if (!header.equals("*") && !TAGS.matcher(header).matches()) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_MATCH,
					"must be a tag in quotes, as the header ETag has it, several of them, or *");
		}
		List<Precondition> tags = ETag.parse(header).stream().map(IfMatch::precondition).distinct().toList();
		if (tags.size() > MAX_TAGS) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_MATCH,
					"must not have more than %d tags".formatted(MAX_TAGS));
		}
		return tags;
	}

	private static Precondition precondition(ETag tag) {
		if (tag.isWildcard()) {
			return Precondition.NONE;
		}
		return tag.weak() ? Precondition.NEVER : EntityTag.precondition(tag.tag());
	}

	/**
	 * Runs an action with the first alternative that holds, and returns its result.
	 * @param action throws {@link SessionException.Stale} if the precondition does not
	 * hold
	 * @throws SessionException.Stale if no alternative holds
	 */
	public <T> T apply(Function<Precondition, T> action) {
		int last = this.alternatives.size() - 1;
		for (Precondition alternative : this.alternatives.subList(0, last)) {
			try {
				return action.apply(alternative);
			}
			catch (SessionException.Stale ex) {
				// Try the next alternative.
				continue;
			}
		}
		return action.apply(this.alternatives.get(last));
	}

}
