package dev.agentsessions.warmup;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the warm-up.
 *
 * @param warmUpTimeout the time after which the service is ready even if the warm-up has
 * not finished; zero for no warm-up
 */
@Validated
@ConfigurationProperties("agent-sessions")
record WarmUpProperties(@DefaultValue("20s") @DurationMin Duration warmUpTimeout) {

}
