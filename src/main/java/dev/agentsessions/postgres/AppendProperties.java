package dev.agentsessions.postgres;

import org.hibernate.validator.constraints.Range;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.startup.DataSizeRange;

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
@Validated
@ConfigurationProperties("agent-sessions.append")
public record AppendProperties(@DefaultValue("64") @Range(min = 1, max = 1000) int groupSize,
		@DefaultValue("2") @Range(min = 1, max = 64) int writers, @DataSizeRange @Nullable DataSize waitingSize,
		@DefaultValue("64KB") @DataSizeRange DataSize largeEvent) {

	/** Returns the maximum memory of waiting appends, in bytes. */
	public long waitingBytes() {
		return (this.waitingSize != null) ? this.waitingSize.toBytes() : HeapShare.WAITING_APPENDS.bytes();
	}

}
