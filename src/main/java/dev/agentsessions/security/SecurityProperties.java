package dev.agentsessions.security;

import java.util.List;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.security.ApiKeys.ApiKey;

/**
 * The settings of access control. Without API keys and without a token issuer, every
 * caller has all permissions, and only this machine can reach the service.
 *
 * @param allowAnonymous whether to start without access control even if other machines
 * can reach the service
 * @param apiKeys the accepted API keys
 * @param jwt the meaning of the claims of tokens
 * @param corsOrigins origins of web pages that may call the service from a browser, such
 * as https://chat.example.com
 * @param hostNames the host names of the service, besides the names of this machine;
 * without any, each name is accepted if other machines can reach the service
 * @param rateLimit the rate limit of a caller
 * @param addressRateLimit the rate limit of requests without valid credentials from one
 * address
 */
@Validated
@ConfigurationProperties("agent-sessions.security")
record SecurityProperties(@DefaultValue("false") boolean allowAnonymous, @DefaultValue List<ApiKey> apiKeys,
		@DefaultValue JwtClaims jwt, @DefaultValue List<String> corsOrigins, @DefaultValue List<String> hostNames,
		@DefaultValue @Valid RateLimit rateLimit, @DefaultValue @Valid AddressRateLimit addressRateLimit) {

	/**
	 * The meaning of the claims of tokens. The issuer is set in
	 * spring.security.oauth2.resourceserver.jwt.
	 *
	 * @param userClaim the claim that names the user
	 * @param appsClaim the claim that lists the apps, * for all
	 * @param administratorScope the scope of tokens that may access the data of all users
	 * @param metricsScope the scope of tokens that read the metrics of the service, and
	 * nothing else
	 * @param usersChangeAppState whether a user's token may change the state that all
	 * users of an app share
	 */
	record JwtClaims(@DefaultValue("sub") String userClaim, @DefaultValue("apps") String appsClaim,
			@DefaultValue("agent-sessions.admin") String administratorScope,
			@DefaultValue("agent-sessions.metrics") String metricsScope,
			@DefaultValue("false") boolean usersChangeAppState) {

	}

	/**
	 * The rate limit of a caller, for each app and in each replica.
	 *
	 * @param requestsPerSecond the average number of requests a second; 0 for no limit
	 * @param burst the number of requests at once
	 */
	record RateLimit(@DefaultValue("1000") @PositiveOrZero int requestsPerSecond,
			@DefaultValue("2000") @Positive int burst) {

	}

	/**
	 * The rate limit of requests without valid credentials from one address, or from one
	 * IPv6 network (/64), in each replica.
	 *
	 * @param requestsPerSecond the average number of requests a second; 0 for no limit
	 * @param burst the number of requests at once
	 */
	record AddressRateLimit(@DefaultValue("50") @PositiveOrZero int requestsPerSecond,
			@DefaultValue("500") @Positive int burst) {

	}

}
