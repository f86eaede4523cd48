package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses are counted together. What is no address is never looked up. */
class AddressRateLimiterTests {

	@ParameterizedTest
	@CsvSource({ "10.1.2.3, 10.1.2.3", "2001:db8:0:7:1:2:3:4, 20010db800000007", "2001:db8:0:7::1, 20010db800000007",
			"2001:DB8:0:7:0:0:0:9, 20010db800000007", "fe80:0:0:0:1:2:3:4%eth0, fe80000000000000",
			"::1, 0000000000000000", "::ffff:10.1.2.3, 0a010203", "unknown, unknown", "evil.example, evil.example",
			"evil.example:80, evil.example:80", "a.b:1, a.b:1", "1:2, 1:2" })
	void areThoseOfOneNetwork(String address, String network) {
		assertThat(AddressRateLimiter.network(address)).isEqualTo(network);
	}

	@ParameterizedTest
	@CsvSource({ "x", "1", "':'" })
	void takeNoMoreMemoryIfAProxyHandsOnALongText(String text) {
		assertThat(AddressRateLimiter.network(text.repeat(30_000))).hasSize(45);
	}

}
