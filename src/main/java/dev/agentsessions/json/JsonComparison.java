package dev.agentsessions.json;

import java.security.MessageDigest;

import org.jspecify.annotations.Nullable;

/** Compares JSON by what it means: spaces and the order of names do not count. */
public final class JsonComparison {

	private JsonComparison() {
	}

	/**
	 * Whether two objects mean the same. Numbers are compared by value, whatever their
	 * size; of members with one name the last one counts.
	 * @param without a member that does not count, {@code null} if all do
	 */
	public static boolean same(JsonText one, JsonText other, @Nullable String without) {
		return MessageDigest.isEqual(JsonDigest.of(one, without), JsonDigest.of(other, without));
	}

}
