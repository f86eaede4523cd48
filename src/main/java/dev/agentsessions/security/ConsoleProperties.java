package dev.agentsessions.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The pages on which people look at sessions.
 *
 * @param enabled whether there are any; never on a service that others can reach and that
 * asks nobody who they are
 */
@ConfigurationProperties("agent-sessions.console")
record ConsoleProperties(@DefaultValue("true") boolean enabled) {
}
