package dev.agentsessions.session;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How much callers may send and keep.
 *
 * @param eventSize the largest event
 * @param eventsPerRequest how many events one request may bring
 * @param deltaKeys how many keys of the state one request may set
 * @param stateSize how large the state of a session, of a user and of an app may each
 * become, about
 * @param detailsSize how large the display name and the labels of a session may be
 * together
 * @param templateSize how large a template may become that is filled with the state, in
 * characters
 * @param forkSize how large the history may be that one request copies, each event
 * counting a thousand bytes more than it has
 * @param pageSize how many items a page has at most, up to 100,000
 */
@ConfigurationProperties("agent-sessions.limits")
public record LimitProperties(@DefaultValue("128MB") DataSize eventSize, @DefaultValue("1000") int eventsPerRequest,
		@DefaultValue("10000") int deltaKeys, @DefaultValue("16MB") DataSize stateSize,
		@DefaultValue("8KB") DataSize detailsSize, @DefaultValue("4MB") DataSize templateSize,
		@DefaultValue("256MB") DataSize forkSize, @DefaultValue("10000") int pageSize) {

	private static final int LARGEST_PAGE = 100_000;

	public LimitProperties {
		if (eventSize.toBytes() < 1 || eventsPerRequest < 1 || deltaKeys < 1 || stateSize.toBytes() < 1
				|| detailsSize.toBytes() < 1 || templateSize.toBytes() < 1 || forkSize.toBytes() < 1 || pageSize < 1) {
			throw new IllegalArgumentException("agent-sessions.limits: every limit must be at least 1");
		}
		if (pageSize > LARGEST_PAGE) {
			throw new IllegalArgumentException("agent-sessions.limits: page-size must be at most " + LARGEST_PAGE);
		}
	}

}
