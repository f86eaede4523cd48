package dev.agentsessions.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the console.
 *
 * @param enabled whether the console is on; it is always off if other machines can reach
 * the service and it does not authenticate callers
 */
@ConfigurationProperties("agent-sessions.console")
record ConsoleProperties(@DefaultValue("true") boolean enabled) {
}
