package dev.agentsessions.postgres;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether the tables are distributed over several machines.
 *
 * @param distributed whether a Citus cluster has distributed each table by its first
 * column; statements then keep to the rows of one session, and appends go each on its own
 */
@ConfigurationProperties("agent-sessions")
public record DistributionProperties(@DefaultValue("false") boolean distributed) {
}
