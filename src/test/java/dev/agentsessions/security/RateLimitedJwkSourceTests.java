package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

import dev.agentsessions.security.AuthenticationConfiguration.JwkSourceConfiguration;

/** How often an issuer is asked for its keys. */
class RateLimitedJwkSourceTests {

	private static final Set<JWSAlgorithm> RS256 = Set.of(JWSAlgorithm.RS256);

	private final RSAKey first = newKey("first");

	private final AtomicInteger reads = new AtomicInteger();

	private volatile RSAKey published = this.first;

	private volatile boolean down;

	private HttpServer issuer;

	@BeforeEach
	void startIssuer() throws IOException {
		this.issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.issuer.createContext("/keys", (exchange) -> {
			this.reads.incrementAndGet();
			byte[] keys = new JWKSet(this.published.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(this.down ? 503 : 200, keys.length);
			exchange.getResponseBody().write(keys);
			exchange.close();
		});
		this.issuer.start();
	}

	@AfterEach
	void stopIssuer() {
		this.issuer.stop(0);
	}

	@Test
	void unknownKeysCauseFewReadsOfKeySet() {
		JwtDecoder decoder = decoder(Duration.ofMinutes(1));
		decoder.decode(token(this.first));
		for (int i = 0; i < 60; i++) {
			String madeUp = token(newKeyOf(this.first, "unknown" + i));
			assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> decoder.decode(madeUp));
			decoder.decode(token(this.first));
		}
		assertThat(this.reads).hasValue(2);
	}

	@Test
	void changedKeySetIsReadAgain() {
		JwtDecoder decoder = decoder(Duration.ofMillis(200));
		decoder.decode(token(this.first));
		RSAKey second = newKey("second");
		this.published = second;
		String madeUp = token(newKeyOf(this.first, "unknown"));
		Awaitility.await().untilAsserted(() -> {
			assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> decoder.decode(madeUp));
			assertThatNoException().isThrownBy(() -> decoder.decode(token(second)));
		});
	}

	@Test
	void keySetIsUnknownWithoutResponseOfIssuer() {
		this.down = true;
		JwtDecoder decoder = decoder(Duration.ofMinutes(1));
		for (int i = 0; i < 10; i++) {
			assertThatExceptionOfType(JwtException.class).isThrownBy(() -> decoder.decode(token(this.first)))
				.isNotInstanceOf(BadJwtException.class);
		}
		assertThat(this.reads).hasValue(2);
	}

	@Test
	void keySetIsKeptDuringOutageOfIssuer() {
		JwtDecoder decoder = decoder(Duration.ofMinutes(1));
		decoder.decode(token(this.first));
		this.down = true;
		String madeUp = token(newKeyOf(this.first, "unknown"));
		for (int i = 0; i < 10; i++) {
			assertThatExceptionOfType(JwtException.class).isThrownBy(() -> decoder.decode(madeUp));
			decoder.decode(token(this.first));
		}
		assertThat(this.reads).hasValue(2);
	}

	private JwtDecoder decoder(Duration interval) {
		return NimbusJwtDecoder.withJwkSetUri("http://127.0.0.1:" + this.issuer.getAddress().getPort() + "/keys")
			.jwtProcessorCustomizer((processor) -> JwkSourceConfiguration.limitReads(processor, RS256, interval))
			.build();
	}

	private static String token(RSAKey key) {
		try {
			SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
					new JWTClaimsSet.Builder().subject("ann").build());
			token.sign(new RSASSASigner(key));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Making a key takes long, and a made-up name is all that counts. */
	private static RSAKey newKeyOf(RSAKey key, String id) {
		return new RSAKey.Builder(key).keyID(id).build();
	}

	private static RSAKey newKey(String id) {
		try {
			return new RSAKeyGenerator(2048).keyID(id).generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
