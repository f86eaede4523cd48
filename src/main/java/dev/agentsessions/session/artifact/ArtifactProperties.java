package dev.agentsessions.session.artifact;

import jakarta.validation.constraints.Positive;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.startup.DataSizeRange;

/**
 * Limits for artifacts. Each version counts its size, also where equal bytes are stored
 * only once, its name and metadata, and the size of its rows. Versions that are saved at
 * the same time may exceed a quota together.
 *
 * @param maxSize the maximum size of a version
 * @param versions the maximum number of versions of a name
 * @param sessionQuota the maximum size of all versions of a session together
 * @param userQuota the maximum size of all versions of a user together, also of those of
 * the sessions
 */
@Validated
@ConfigurationProperties("agent-sessions.artifacts")
public record ArtifactProperties(@DefaultValue("50MB") @DataSizeRange(max = "1GB") DataSize maxSize,
		@DefaultValue("1000") @Positive int versions,
		@DefaultValue("1GB") @DataSizeRange(max = "1TB") DataSize sessionQuota,
		@DefaultValue("10GB") @DataSizeRange(max = "1TB") DataSize userQuota) {
}
