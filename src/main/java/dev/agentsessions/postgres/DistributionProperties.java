package dev.agentsessions.postgres;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether the tables are distributed over several machines. Conditions of beans ask for
 * it, such as {@link OnOneMachine}; this class makes the setting known.
 *
 * @param distributed whether a Citus cluster has distributed each table by its first
 * column; then a statement reads and writes rows of one session only, and each append is
 * stored alone
 */
@ConfigurationProperties("agent-sessions")
public record DistributionProperties(@DefaultValue("false") boolean distributed) {
}
