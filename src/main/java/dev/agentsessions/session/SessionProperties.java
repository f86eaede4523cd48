package dev.agentsessions.session;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Positive;
import org.hibernate.validator.constraints.Range;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.startup.DataSizeRange;

/**
 * Settings for all sessions.
 *
 * @param requirePrecondition whether the service refuses appends that do not say which
 * version of the session they follow
 */
@ConfigurationProperties("agent-sessions")
public record SessionProperties(@DefaultValue("false") boolean requirePrecondition) {

	/**
	 * Refuses an append without a precondition, if the service requires one.
	 * @throws SessionException.PreconditionRequired if it does
	 */
	public void check(Precondition precondition) {
		if (this.requirePrecondition && precondition.isNone()) {
			throw new SessionException.PreconditionRequired();
		}
	}

	/**
	 * Limits for the data that callers send and store.
	 *
	 * @param eventSize the maximum size of an event
	 * @param eventsPerRequest the maximum number of events in a request
	 * @param deltaKeys the maximum number of state keys that a request sets
	 * @param stateSize the approximate maximum size of the state of a session, of a user
	 * and of an app, each
	 * @param detailsSize the maximum size of the display name and the labels of a session
	 * together
	 * @param templateSize the maximum length of a template that is filled with the state,
	 * in characters
	 * @param forkSize the maximum size of the history that a request copies; each event
	 * counts 1,000 bytes more than its size
	 * @param pageSize the maximum number of items of a page, up to 100,000
	 * @param heavyShare the share of the connections for heavy requests that the requests
	 * of one caller may have at once, above 0 to 1; one connection at least
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.limits")
	public record LimitProperties(@DefaultValue("128MB") @DataSizeRange DataSize eventSize,
			@DefaultValue("1000") @Positive int eventsPerRequest, @DefaultValue("10000") @Positive int deltaKeys,
			@DefaultValue("16MB") @DataSizeRange DataSize stateSize,
			@DefaultValue("8KB") @DataSizeRange DataSize detailsSize,
			@DefaultValue("4MB") @DataSizeRange DataSize templateSize,
			@DefaultValue("256MB") @DataSizeRange DataSize forkSize,
			@DefaultValue("10000") @Range(min = 1, max = 100_000) int pageSize,
			@DefaultValue("0.5") @DecimalMin(value = "0", inclusive = false) @DecimalMax("1") double heavyShare) {
	}

}
