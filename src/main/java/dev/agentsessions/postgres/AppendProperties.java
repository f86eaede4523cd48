package dev.agentsessions.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How appends that wait at the same moment go to the database together.
 *
 * @param groupSize at most so many appends in one transaction; 1 for each on its own
 * @param writers so many transactions at the same time
 * @param waitingSize at most so many bytes of appends that wait; further ones are
 * answered 503; a sixteenth of the heap if it is not set
 * @param largeEvent an event from this size on goes to the database on its own
 */
@Validated
@ConfigurationProperties("agent-sessions.append")
public record AppendProperties(@DefaultValue("64") @Min(1) @Max(1000) int groupSize,
		@DefaultValue("2") @Min(1) @Max(64) int writers, @Nullable DataSize waitingSize,
		@DefaultValue("64KB") DataSize largeEvent) {

	private static final int SHARE_OF_HEAP = 16;

	public long waitingBytes() {
		return (this.waitingSize != null) ? this.waitingSize.toBytes()
				: Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
	}

}
