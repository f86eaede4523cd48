package dev.agentsessions.security;

import java.util.Collection;
import java.util.Set;

/**
 * Which apps a caller may touch.
 *
 * @param names their names; {@code *} stands for all
 */
record AllowedApps(Set<String> names) {

	private static final String ALL = "*";

	AllowedApps {
		names = Set.copyOf(names);
	}

	static AllowedApps of(Collection<String> names) {
		return new AllowedApps(Set.copyOf(names));
	}

	static AllowedApps all() {
		return new AllowedApps(Set.of(ALL));
	}

	boolean contain(String appName) {
		return this.names.contains(appName) || this.names.contains(ALL);
	}

}
