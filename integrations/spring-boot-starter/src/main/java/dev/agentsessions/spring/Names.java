// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.spring;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.util.StringUtils;

/**
 * Makes ids of sessions from any names: {@code / \ ; % : ~} and control characters become
 * {@code ~} and two hexadecimal digits for each byte of UTF-8. A name of dots only is
 * escaped as a whole.
 */
final class Names {

	private static final Pattern REFUSED = Pattern.compile("^\\.+$|[/\\\\;%:~\\p{Cc}]+");

	private static final Pattern ESCAPED = Pattern.compile("(~[0-9a-f]{2})+");

	private static final HexFormat HEX = HexFormat.of().withPrefix("~");

	private Names() {
	}

	static String sessionId(String name) {
		return REFUSED.matcher(name)
			.replaceAll((found) -> HEX.formatHex(found.group().getBytes(StandardCharsets.UTF_8)));
	}

	/** Returns the name from which {@link #sessionId} has made the id. */
	static String nameOf(String sessionId) {
		return ESCAPED.matcher(sessionId)
			.replaceAll((found) -> Matcher
				.quoteReplacement(new String(HEX.parseHex(found.group()), StandardCharsets.UTF_8)));
	}

	/** Escapes a name for a path, and refuses names that lead to another path. */
	static String inPath(String name) {
		if (!StringUtils.hasText(name) || name.equals(".") || name.equals("..")) {
			throw new IllegalArgumentException("Not a name of an app, a user or a session: '" + name + "'");
		}
		return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
