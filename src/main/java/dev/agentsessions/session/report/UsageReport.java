package dev.agentsessions.session.report;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the events of a query have spent. The reports of several requests add up.
 *
 * @param total all of them
 * @param copied those that a fork has copied, a part of {@code total}
 * @param rows the same by turn, day, user or model
 * @param sessions the number of sessions that were looked at
 * @param next how far the report counts; {@code null} if it is complete
 * @param priced whether there are prices
 * @param slowest the turns that took longest, the slowest one first
 * @param models how long models took, if the query asks for it
 * @param tools the same of tools
 */
public record UsageReport(Usage total, Usage copied, List<UsageRow> rows, long sessions, @Nullable UsagePosition next,
		boolean priced, List<TimedTurn> slowest, List<Timing> models, List<Timing> tools) {

	/** Returns whether all events are counted. */
	public boolean isComplete() {
		return this.next == null;
	}

}
