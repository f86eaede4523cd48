package dev.agentsessions.session;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What holds for all sessions.
 *
 * @param requirePrecondition whether appends without If-Match or lastUpdateTime are
 * refused
 */
@ConfigurationProperties("agent-sessions")
record SessionProperties(@DefaultValue("false") boolean requirePrecondition) {
}
