package dev.agentsessions.session;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits for what callers send and store.
 *
 * @param eventSize the maximum size of an event
 * @param eventsPerRequest the maximum number of events in a request
 * @param deltaKeys the maximum number of state keys that a request sets
 * @param stateSize the approximate maximum size of the state of a session, of a user and
 * of an app, each
 * @param detailsSize the maximum size of the display name and the labels of a session
 * together
 * @param templateSize the maximum length of a template that is filled with the state, in
 * characters
 * @param forkSize the maximum size of the history that a request copies; each event
 * counts 1,000 bytes more than its size
 * @param pageSize the maximum number of items of a page, up to 100,000
 */
@ConfigurationProperties("agent-sessions.limits")
public record LimitProperties(@DefaultValue("128MB") DataSize eventSize, @DefaultValue("1000") int eventsPerRequest,
		@DefaultValue("10000") int deltaKeys, @DefaultValue("16MB") DataSize stateSize,
		@DefaultValue("8KB") DataSize detailsSize, @DefaultValue("4MB") DataSize templateSize,
		@DefaultValue("256MB") DataSize forkSize, @DefaultValue("10000") int pageSize) {

	private static final int MAX_PAGE_SIZE = 100_000;

	public LimitProperties {
		if (eventSize.toBytes() < 1 || eventsPerRequest < 1 || deltaKeys < 1 || stateSize.toBytes() < 1
				|| detailsSize.toBytes() < 1 || templateSize.toBytes() < 1 || forkSize.toBytes() < 1 || pageSize < 1) {
			throw new IllegalArgumentException("agent-sessions.limits: every limit must be at least 1");
		}
		if (pageSize > MAX_PAGE_SIZE) {
			throw new IllegalArgumentException("agent-sessions.limits: page-size must be at most " + MAX_PAGE_SIZE);
		}
	}

}
