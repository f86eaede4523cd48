package dev.agentsessions.console.usage;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.usage.Usage;
import dev.agentsessions.session.usage.UsageReport;
import dev.agentsessions.session.usage.UsageRow;

/**
 * What a session, a user or an app has spent, as a page shows it.
 *
 * @param total all of it
 * @param copied the part that a fork has copied; {@code null} if there is none
 * @param rows the lines of turns, days or users
 * @param models the lines of models
 * @param sessions the number of sessions that were looked at
 * @param invalidEvents the number of events with a count that is left out
 * @param priced whether there are prices
 * @param complete whether all events are counted
 */
record UsageView(UsageLine total, @Nullable UsageLine copied, List<UsageLine> rows, List<UsageLine> models,
		String sessions, long invalidEvents, boolean priced, boolean complete) {

	/** Returns the view of a report, with the line of each row. */
	static UsageView of(UsageReport report, Function<UsageRow, UsageLine> line) {
		Usage total = report.total();
		return new UsageView(UsageLine.of("All", null, total),
				(report.copied().events() > 0) ? UsageLine.of("Copied", null, report.copied()) : null,
				report.rows().stream().map(line).toList(), total.models().stream().map(UsageLine::of).toList(),
				UsageLine.number(report.sessions()), total.invalidEvents(), report.priced(), report.isComplete());
	}

}
