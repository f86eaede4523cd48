package dev.agentsessions.http;

import java.util.regex.Pattern;

import org.springframework.util.unit.DataSize;

/**
 * What a dialect lets in beyond the limit that holds for all, as far as the memory is
 * enough for it.
 *
 * @param paths its paths
 * @param limit the largest body of a request
 * @param setting the setting of the limit
 */
public record LargerBodies(Pattern paths, DataSize limit, String setting) {

	public LargerBodies {
		HttpProperties.check(limit.compareTo(HttpProperties.LARGEST_BODY) <= 0, setting + " must be at most 1GB");
	}

}
