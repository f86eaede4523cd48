package dev.agentsessions.adk.usage;

import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.UsageQuery;

/**
 * Which events of an app or of a user to count.
 *
 * @param from only events at this time or later
 * @param until only events before this time
 * @param by what the rows stand for, days by default
 * @param pageToken the token of the page, from the response with the previous page
 */
record UsageParameters(@Nullable String from, @Nullable String until, @Nullable String by, @Nullable String pageToken) {

	UsageQuery toQuery(String appName, @Nullable String userId, Set<Grouping> permitted) {
		return new UsageQuery(new StateOwner(appName, userId), null, grouping(permitted),
				QueryParameters.time("from", this.from), QueryParameters.time("until", this.until), null, false);
	}

	private Grouping grouping(Set<Grouping> permitted) {
		if (this.by == null) {
			return Grouping.DAY;
		}
		return permitted.stream()
			.filter((grouping) -> grouping.text().equals(this.by))
			.findFirst()
			.orElseThrow(() -> new SessionException.InvalidArgument("by",
					"must be " + permitted.stream().sorted().map(Grouping::text).collect(Collectors.joining(" or "))));
	}

}
