package dev.agentsessions.warmup;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the warm-up.
 *
 * @param warmUpTimeout after which time the service is ready, however far the warm-up has
 * come; zero for none
 */
@ConfigurationProperties("agent-sessions")
record WarmUpProperties(@DefaultValue("20s") Duration warmUpTimeout) {

}
