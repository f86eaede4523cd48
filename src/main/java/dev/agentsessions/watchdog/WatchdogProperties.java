package dev.agentsessions.watchdog;

import java.time.Duration;

import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the watchdog.
 *
 * @param hangTimeout the time without progress of any virtual thread after which the
 * process ends; zero for never
 */
@Validated
@ConfigurationProperties("agent-sessions")
record WatchdogProperties(@DefaultValue("60s") @DurationMin Duration hangTimeout) {

}
