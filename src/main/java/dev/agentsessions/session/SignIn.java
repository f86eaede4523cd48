package dev.agentsessions.session;

import java.time.Instant;

/**
 * What is known of a cookie with which a person is signed in, without its contents.
 *
 * @param credentials the SHA-256 of the key or token in it, in hexadecimal digits
 * @param cookie the SHA-256 of the cookie, in hexadecimal digits
 * @param end when it ends by itself
 */
public record SignIn(String credentials, String cookie, Instant end) {
}
