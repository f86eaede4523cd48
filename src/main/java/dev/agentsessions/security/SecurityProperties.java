package dev.agentsessions.security;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may do what. Without keys and without an issuer of tokens, everybody may do
 * everything, and only this machine can reach the service.
 *
 * @param allowAnonymous starts the service without access control even where other
 * machines can reach it
 * @param apiKeys the API keys that are accepted
 * @param jwt what the claims of tokens mean
 * @param corsOrigins origins of web pages that may call the service from a browser, such
 * as https://chat.example.com
 * @param hostNames names under which the service may be called, besides those of this
 * machine; any name if there is none and others can reach the service
 * @param rateLimit how often a caller may ask
 * @param addressRateLimit how often callers without valid credentials may ask from one
 * address
 */
@ConfigurationProperties("agent-sessions.security")
record SecurityProperties(@DefaultValue("false") boolean allowAnonymous, @DefaultValue List<ApiKey> apiKeys,
		@DefaultValue JwtClaims jwt, @DefaultValue List<String> corsOrigins, @DefaultValue List<String> hostNames,
		@DefaultValue RateLimit rateLimit, @DefaultValue AddressRateLimit addressRateLimit) {

	/**
	 * What the claims of tokens mean. Who issues them stands in
	 * spring.security.oauth2.resourceserver.jwt.
	 *
	 * @param userClaim the claim that names the user
	 * @param appsClaim the claim that lists the apps, * for all
	 * @param administratorScope the scope of tokens for which all users are one's own
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
	 * How often a caller may ask, for each app and in each replica.
	 *
	 * @param requestsPerSecond so many on average; 0 for any number
	 * @param burst so many at once
	 */
	record RateLimit(@DefaultValue("1000") int requestsPerSecond, @DefaultValue("2000") int burst) {

		RateLimit {
			check("rate-limit", requestsPerSecond, burst);
		}

	}

	/**
	 * How often callers without valid credentials may ask from one address, or from one
	 * network of IPv6 (/64), in each replica.
	 *
	 * @param requestsPerSecond how many on average; 0 for any number
	 * @param burst how many at once
	 */
	record AddressRateLimit(@DefaultValue("50") int requestsPerSecond, @DefaultValue("500") int burst) {

		AddressRateLimit {
			check("address-rate-limit", requestsPerSecond, burst);
		}

	}

	private static void check(String name, int requestsPerSecond, int burst) {
		if (requestsPerSecond < 0 || burst < 1) {
			throw new IllegalArgumentException(
					"agent-sessions.security." + name + ": requests-per-second must be 0 or more, burst 1 or more");
		}
	}

}
