package dev.agentsessions.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import org.springframework.test.context.DynamicPropertyRegistry;

/** An issuer of tokens. */
public final class Tokens {

	static final String ISSUER = "https://issuer.example";

	static final String AUDIENCE = "agent-sessions";

	private static final KeyPair OURS = newKeyPair();

	private static final KeyPair FOREIGN = newKeyPair();

	private static final String KEYS_ADDRESS = publicKeyAddress();

	private static final Map<String, String> SIGNED = new ConcurrentHashMap<>();

	private Tokens() {
	}

	static void configure(DynamicPropertyRegistry registry) {
		String prefix = "spring.security.oauth2.resourceserver.jwt.";
		registry.add(prefix + "jwk-set-uri", () -> KEYS_ADDRESS);
		registry.add(prefix + "issuer-uri", () -> ISSUER);
		registry.add(prefix + "audiences", () -> AUDIENCE);
	}

	/** The claims of a token that is accepted. */
	static JWTClaimsSet.Builder claims(String user) {
		return new JWTClaimsSet.Builder().issuer(ISSUER)
			.audience(AUDIENCE)
			.subject(user)
			.claim("apps", List.of("shop"))
			.issueTime(Date.from(Instant.now()))
			.expirationTime(Date.from(Instant.now().plusSeconds(600)));
	}

	public static String of(String user) {
		return signed(user, () -> claims(user));
	}

	public static String ofAdministrator(String user) {
		return signed("administrator " + user, () -> claims(user).claim("scope", "openid agent-sessions.admin"));
	}

	static String ofMetrics(String user) {
		return signed("metrics " + user, () -> claims(user).claim("scope", "agent-sessions.metrics"));
	}

	/**
	 * Whoever calls often has one for a minute, as to sign takes longer than a request.
	 */
	private static String signed(String holder, Supplier<JWTClaimsSet.Builder> claims) {
		String key = holder + " at " + Instant.now().truncatedTo(ChronoUnit.MINUTES);
		return SIGNED.computeIfAbsent(key, (absent) -> sign(claims.get()));
	}

	static String sign(JWTClaimsSet.Builder claims) {
		return sign(claims, JWSAlgorithm.RS256, OURS);
	}

	static String signWith(JWSAlgorithm algorithm, JWTClaimsSet.Builder claims) {
		return sign(claims, algorithm, OURS);
	}

	static String signWithForeignKey(JWTClaimsSet.Builder claims) {
		return sign(claims, JWSAlgorithm.RS256, FOREIGN);
	}

	static String unsigned(JWTClaimsSet.Builder claims) {
		return new PlainJWT(claims.build()).serialize();
	}

	/** Takes the public key, which everybody knows, for a shared secret. */
	static String signWithPublicKeyAsSecret(JWTClaimsSet.Builder claims) {
		try {
			SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims.build());
			token.sign(new MACSigner(OURS.getPublic().getEncoded()));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String sign(JWTClaimsSet.Builder claims, JWSAlgorithm algorithm, KeyPair keys) {
		try {
			SignedJWT token = new SignedJWT(new JWSHeader(algorithm), claims.build());
			token.sign(new RSASSASigner(keys.getPrivate()));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Serves the public key where issuers do, as long as the tests run. */
	private static String publicKeyAddress() {
		String keys = new JWKSet(new RSAKey.Builder((RSAPublicKey) OURS.getPublic()).build()).toString();
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			server.createContext("/keys", (exchange) -> {
				byte[] body = keys.getBytes(StandardCharsets.UTF_8);
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
				exchange.close();
			});
			server.start();
			return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static KeyPair newKeyPair() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			return generator.generateKeyPair();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
