package dev.agentsessions.web;

import java.security.SecureRandom;
import java.util.Base64;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Whether the console is enabled, and the paths of the console.
 *
 * @param isOn whether the console is enabled
 */
public record ConsoleAccess(boolean isOn) {

	/** The path of the console, and the prefix of the paths of its pages. */
	public static final String PATH = "/console";

	/** The path prefix of its static files, which need no sign-in. */
	public static final String FILES = PATH + "/static/";

	/** The path that receives the sign-in form, with an API key or a token. */
	public static final String SIGN_IN = PATH + "/sign-in";

	/** The path that receives the sign-out form. */
	public static final String SIGN_OUT = PATH + "/sign-out";

	private static final String NONCE = ConsoleAccess.class.getName() + ".nonce";

	private static final int NONCE_BYTES = 16;

	private static final SecureRandom RANDOM = new SecureRandom();

	/**
	 * Returns the nonce of a request. The page and its content security policy contain
	 * the same nonce, so the browser accepts only the scripts and styles that the page
	 * itself names. The nonce is random and new for each request. A policy with the path
	 * of the files would also have to name the host, which a proxy may hide, and could
	 * not name an IP address.
	 */
	public static String nonce(HttpServletRequest request) {
		String known = (String) request.getAttribute(NONCE);
		if (known != null) {
			return known;
		}
		byte[] bytes = new byte[NONCE_BYTES];
		RANDOM.nextBytes(bytes);
		String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
		request.setAttribute(NONCE, nonce);
		return nonce;
	}

	/**
	 * Returns whether a path belongs to the console.
	 * @param path the decoded path, or the path as sent if it cannot be decoded
	 */
	public static boolean owns(String path) {
		return path.startsWith(PATH) && (path.length() == PATH.length() || path.charAt(PATH.length()) == '/');
	}

}
