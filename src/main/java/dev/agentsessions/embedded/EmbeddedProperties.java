package dev.agentsessions.embedded;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The PostgreSQL that starts with the program when spring.datasource.url is not set.
 *
 * @param dataDirectory the folder of its data, created if it does not exist
 * @param keepData whether the data is durable and stays at exit; if not, it is in a
 * temporary folder that is deleted at exit
 */
@ConfigurationProperties("agent-sessions.embedded")
record EmbeddedProperties(@DefaultValue("data") Path dataDirectory, @DefaultValue("true") boolean keepData) {
}
