package dev.agentsessions.adk;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.ETag;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;

/**
 * What a request has to follow, by the header {@code If-Match} and the parameter
 * {@code lastUpdateTime}. As in RFC 9110, one of several tags has to match, {@code *}
 * matches whatever is there, and a weak tag matches nothing.
 *
 * @param alternatives one of these has to hold
 */
public record IfMatch(List<Precondition> alternatives) {

	/** Each different tag costs as much as a request with it alone. */
	private static final int MOST = 16;

	private static final String TAG = "(?:W/)?\"[^\"\\x00-\\x20\\x7F]++\"";

	/** As RFC 9110 has it: tags with commas between them, and perhaps too many commas. */
	private static final Pattern TAGS = Pattern
		.compile("[ \\t,]*+" + TAG + "(?:[ \\t]*+,[ \\t,]*+" + TAG + ")*+[ \\t,]*+");

	private static final Pattern WITHOUT_QUOTES = Pattern.compile("\\d{1,18}");

	/**
	 * Reads the header and the parameter.
	 * @throws SessionException.InvalidArgument if one of them is not what it has to be
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
		if (tags.size() > MOST) {
			throw new SessionException.InvalidArgument(HttpHeaders.IF_MATCH,
					"must not have more than %d tags".formatted(MOST));
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
	 * The same under a lease.
	 * @param lease the header {@link LeaseHeader#NAME}, {@code null} for none
	 * @throws SessionException.InvalidArgument if it is no number
	 */
	public IfMatch under(@Nullable String lease) {
		if (lease == null) {
			return this;
		}
		Long number = LeaseHeader.parse(lease);
		return new IfMatch(this.alternatives.stream().map((alternative) -> alternative.under(number)).toList());
	}

	/**
	 * Does something for the first alternative that holds.
	 * @throws SessionException.Stale if none does
	 */
	public <T> T apply(Function<Precondition, T> action) {
		int last = this.alternatives.size() - 1;
		for (Precondition alternative : this.alternatives.subList(0, last)) {
			try {
				return action.apply(alternative);
			}
			catch (SessionException.Stale ex) {
				// Perhaps one of the others holds.
				continue;
			}
		}
		return action.apply(this.alternatives.get(last));
	}

	/**
	 * Does something for the first alternative that holds.
	 * @throws SessionException.Stale if none does
	 */
	public void accept(Consumer<Precondition> action) {
		apply((precondition) -> {
			action.accept(precondition);
			return true;
		});
	}

}
