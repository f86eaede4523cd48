package dev.agentsessions.adk.usage;

import java.math.BigDecimal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.session.usage.UsageRow;

/**
 * What a session has spent.
 *
 * @param usage all of its events
 * @param copied those of them that a fork has copied; absent if there are none
 * @param turns its turns, the oldest first
 * @param complete whether all of its events are counted
 * @param nextPageToken the token of the page that counts the rest; absent if there is
 * none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionUsage(UsageTotals usage, @Nullable UsageTotals copied, List<Turn> turns, boolean complete,
		@Nullable String nextPageToken) {

	static SessionUsage from(UsageReport report, @Nullable String nextPageToken) {
		return new SessionUsage(UsageTotals.from(report.total(), report.priced()),
				(report.copied().events() > 0) ? UsageTotals.from(report.copied(), report.priced()) : null,
				report.rows().stream().map((row) -> Turn.from(row, report.priced())).toList(), report.isComplete(),
				nextPageToken);
	}

	/**
	 * What a turn has spent.
	 *
	 * @param invocationId the id of the invocation; absent for events of none
	 * @param seq the seq of its first event
	 * @param startTime the time of its first event, in decimal seconds
	 * @param usage what it has spent
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Turn(@Nullable String invocationId, long seq, BigDecimal startTime, UsageTotals usage) {

		private static Turn from(UsageRow row, boolean priced) {
			return new Turn(row.name().isEmpty() ? null : row.name(), row.seq(), Timestamps.toSeconds(row.start()),
					UsageTotals.from(row.usage(), priced));
		}

	}

}
