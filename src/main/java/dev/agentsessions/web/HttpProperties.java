package dev.agentsessions.web;

import java.time.Duration;

import jakarta.validation.constraints.Positive;
import org.hibernate.validator.constraints.Range;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.startup.DataSizeRange;

/**
 * Settings for all requests.
 *
 * @param maxBodySize the largest body of a request; a larger one gets status 413
 * @param bodyTimeout how long a body may take to arrive; a slower one gets status 408
 * @param drainPeriod how long a replica that is stopped continues to serve requests
 * before it closes its port; load balancers learn in this time that it is not ready
 * @param maxJsonDepth how deep objects and arrays may be nested, at most 500
 * @param maxJsonTokens how many tokens a body may have: names, values, and the beginnings
 * and ends of objects and arrays; a body with more gets status 413
 */
@Validated
@ConfigurationProperties("agent-sessions")
public record HttpProperties(@DefaultValue("16MB") @DataSizeRange(max = "1GB") DataSize maxBodySize,
		@DefaultValue("30s") @DurationMin(millis = 1) Duration bodyTimeout,
		@DefaultValue("1s") @DurationMin Duration drainPeriod,
		@DefaultValue("500") @Range(min = 1, max = 500) int maxJsonDepth,
		@DefaultValue("250000") @Positive int maxJsonTokens) {
}
