package dev.agentsessions.watchdog;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the watchdog.
 *
 * @param hangTimeout the time without progress of any virtual thread after which the
 * process ends; zero for never
 */
@ConfigurationProperties("agent-sessions")
record WatchdogProperties(@DefaultValue("60s") Duration hangTimeout) {

}
