package dev.agentsessions.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the groups in which appends are stored.
 *
 * @param groupSize the most appends in one transaction; with 1, each has its own
 * @param writers the number of concurrent transactions that store groups
 * @param waitingSize the most memory of waiting appends; further appends get 503; a
 * sixteenth of the heap if it is not set
 * @param largeEvent an event of this size and larger is stored alone
 */
@Validated
@ConfigurationProperties("agent-sessions.append")
public record AppendProperties(@DefaultValue("64") @Min(1) @Max(1000) int groupSize,
		@DefaultValue("2") @Min(1) @Max(64) int writers, @Nullable DataSize waitingSize,
		@DefaultValue("64KB") DataSize largeEvent) {

	private static final int SHARE_OF_HEAP = 16;

	/** Returns the most memory of waiting appends, in bytes. */
	public long waitingBytes() {
		return (this.waitingSize != null) ? this.waitingSize.toBytes()
				: Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
	}

}
