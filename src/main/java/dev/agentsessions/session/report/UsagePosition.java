package dev.agentsessions.session.report;

import java.util.List;
import java.util.UUID;

/**
 * Up to where events are counted. Sessions are read in the order of their ids.
 *
 * @param sessionId the id of the session
 * @param birth the birth of the session
 * @param seq the seq of the last event that is counted
 */
public record UsagePosition(String sessionId, UUID birth, long seq) {

	/** Returns the position that {@link #texts} describes. */
	public static UsagePosition of(List<String> texts) {
		return new UsagePosition(texts.get(0), UUID.fromString(texts.get(1)), Long.parseLong(texts.get(2)));
	}

	public String[] texts() {
		return new String[] { this.sessionId, this.birth.toString(), Long.toString(this.seq) };
	}

}
