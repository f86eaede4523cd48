package dev.agentsessions.console.session;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.LenientFields;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * A summary that replaces earlier events for a model ({@code actions.compaction}).
 *
 * @param from the time of the first event that it replaces; blank if unknown
 * @param until the time of the last one
 * @param parts the parts of the summary
 */
record SummaryView(String from, String until, List<PartView> parts) {

	/**
	 * Returns the summary of an event; {@code null} if it has none.
	 * @param event the address of the event
	 */
	static @Nullable SummaryView of(@Nullable JsonObject actions, String event, ReadingMode mode) {
		JsonObject compaction = LenientFields.object(actions, "compaction");
		return (compaction == null) ? null
				: new SummaryView(time(LenientFields.get(compaction, "startTimestamp", "start_timestamp")),
						time(LenientFields.get(compaction, "endTimestamp", "end_timestamp")),
						PartReader.read(LenientFields.object(compaction, "compactedContent", "compacted_content"),
								event, mode, true));
	}

	/** Returns whether a model sees nothing in the place of the events. */
	public boolean isEmpty() {
		return this.parts.stream().noneMatch(PartView::isTelling);
	}

	private static String time(@Nullable JsonText time) {
		return (time != null) ? TimeFormat.ofSeconds(time) : "";
	}

}
