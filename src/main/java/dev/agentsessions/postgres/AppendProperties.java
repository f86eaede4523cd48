package dev.agentsessions.postgres;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.session.memory.HeapShare;

/**
 * Settings of the groups in which appends are stored.
 *
 * @param groupSize the maximum number of appends in one transaction, 1 to 1,000; with 1,
 * each has its own
 * @param writers the number of concurrent transactions that store groups, 1 to 64
 * @param waitingSize the maximum memory of waiting appends; further appends get 503; a
 * twentieth of the heap if it is not set
 * @param largeEvent an event of this size and larger is stored alone
 */
@ConfigurationProperties("agent-sessions.append")
public record AppendProperties(@DefaultValue("64") int groupSize, @DefaultValue("2") int writers,
		@Nullable DataSize waitingSize, @DefaultValue("64KB") DataSize largeEvent) {

	private static final int MAX_GROUP_SIZE = 1000;

	private static final int MAX_WRITERS = 64;

	public AppendProperties {
		if (groupSize < 1 || groupSize > MAX_GROUP_SIZE) {
			throw new IllegalArgumentException("agent-sessions.append.group-size must be 1 to " + MAX_GROUP_SIZE);
		}
		if (writers < 1 || writers > MAX_WRITERS) {
			throw new IllegalArgumentException("agent-sessions.append.writers must be 1 to " + MAX_WRITERS);
		}
	}

	/** Returns the maximum memory of waiting appends, in bytes. */
	public long waitingBytes() {
		return (this.waitingSize != null) ? this.waitingSize.toBytes() : HeapShare.WAITING_APPENDS.bytes();
	}

}
