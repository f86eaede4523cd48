package dev.agentsessions.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How appends that wait at the same moment go to the database together.
 *
 * @param batchSize at most so many appends in one transaction; 1 for each on its own
 * @param writers so many transactions at the same time
 * @param queueCapacity at most so many appends that wait; further ones are answered 503
 * @param largeEvent an event from this size on goes to the database on its own
 */
@Validated
@ConfigurationProperties("agent-sessions.append")
record AppendProperties(@DefaultValue("64") @Min(1) @Max(1000) int batchSize,
		@DefaultValue("2") @Min(1) @Max(64) int writers, @DefaultValue("4096") @Min(1) int queueCapacity,
		@DefaultValue("64KB") DataSize largeEvent) {

	boolean coalescing() {
		return this.batchSize > 1;
	}

}
