package dev.agentsessions.adk.usage;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.usage.UsagePosition;
import dev.agentsessions.session.usage.UsageQuery;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.web.PageTokens;

/** The token of the page that continues to count. */
final class UsageToken {

	private UsageToken() {
	}

	/** Returns the token of the page after a report; {@code null} after the last one. */
	static @Nullable String of(UsageReport report, UsageQuery query, PageTokens tokens) {
		UsagePosition next = report.next();
		return (next != null)
				? tokens.issue(fingerprint(query), next.sessionId(), next.birth().toString(), Long.toString(next.seq()))
				: null;
	}

	/** Returns the query for the page that a token refers to. */
	static UsageQuery after(@Nullable String token, UsageQuery query, PageTokens tokens) {
		if (token == null) {
			return query;
		}
		List<String> position = tokens.position(token, fingerprint(query));
		return query.after(
				new UsagePosition(position.get(0), UUID.fromString(position.get(1)), Long.parseLong(position.get(2))));
	}

	private static List<?> fingerprint(UsageQuery query) {
		return Arrays.asList("adk usage", query.appName(), query.userId(), query.sessionId(), query.by(),
				String.valueOf(query.from()), String.valueOf(query.until()));
	}

}
