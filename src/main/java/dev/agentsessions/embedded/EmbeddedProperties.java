package dev.agentsessions.embedded;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The PostgreSQL that starts with the program when spring.datasource.url is not set.
 *
 * @param dataDirectory folder of its data, made if it is not there
 * @param keepData whether the data is durable and kept at exit; if not, it lives in a
 * temporary folder and is gone at exit
 */
@ConfigurationProperties("agent-sessions.embedded")
record EmbeddedProperties(@DefaultValue("data") Path dataDirectory, @DefaultValue("true") boolean keepData) {
}
