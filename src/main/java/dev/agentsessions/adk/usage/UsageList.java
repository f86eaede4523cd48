package dev.agentsessions.adk.usage;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.usage.Grouping;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.session.usage.UsageRow;

/**
 * What an app or a user has spent.
 *
 * @param usage all events of this page
 * @param rows the same by day, user or model
 * @param sessions the number of sessions that this page has looked at
 * @param complete whether no events follow
 * @param nextPageToken the token of the page that counts the events that follow; absent
 * on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record UsageList(UsageTotals usage, List<Row> rows, long sessions, boolean complete, @Nullable String nextPageToken) {

	static UsageList from(UsageReport report, Grouping by, @Nullable String nextPageToken) {
		return new UsageList(UsageTotals.from(report.total(), report.priced()),
				report.rows().stream().map((row) -> Row.from(row, by, report.priced())).toList(), report.sessions(),
				report.isComplete(), nextPageToken);
	}

	/**
	 * What a day, a user or a model has spent.
	 *
	 * @param day the day in UTC; absent unless rows are days
	 * @param userId the user; absent unless rows are users
	 * @param model the model; absent unless rows are models, and if the senders name none
	 * @param usage what it has spent
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Row(@Nullable String day, @Nullable String userId, @Nullable String model, UsageTotals usage) {

		private static Row from(UsageRow row, Grouping by, boolean priced) {
			return new Row((by == Grouping.DAY) ? row.name() : null, (by == Grouping.USER) ? row.name() : null,
					(by == Grouping.MODEL && !row.name().isEmpty()) ? row.name() : null,
					UsageTotals.from(row.usage(), priced));
		}

	}

}
