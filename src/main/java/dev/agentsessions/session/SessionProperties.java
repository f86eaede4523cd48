package dev.agentsessions.session;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for all sessions.
 *
 * @param requirePrecondition whether the service refuses appends that do not say which
 * version of the session they follow
 */
@ConfigurationProperties("agent-sessions")
public record SessionProperties(@DefaultValue("false") boolean requirePrecondition) {
}
