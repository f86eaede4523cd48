package dev.agentsessions.search;

import java.util.List;
import java.util.Map;

import jakarta.validation.constraints.Positive;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import org.springframework.validation.annotation.Validated;

import dev.agentsessions.search.text.Language;

/**
 * Settings of the search.
 *
 * @param apps the names of the apps that are searched; {@code *} for all; empty for none
 * @param languages for each app the language of words in Latin script: a code of ISO
 * 639-1, or {@code none}; English for other apps
 * @param maxTurns the number of the newest turns of a user that are searched
 */
@Validated
@ConfigurationProperties("agent-sessions.search")
public record SearchProperties(@DefaultValue("*") List<String> apps, @DefaultValue Map<String, String> languages,
		@DefaultValue("20000") @Positive int maxTurns) {

	private static final String ALL = "*";

	public SearchProperties {
		apps = apps.stream().map(String::strip).filter((app) -> !app.isEmpty()).toList();
		languages.forEach(SearchProperties::language);
	}

	/** Returns whether an app is searched. */
	public boolean includes(String appName) {
		return this.apps.contains(ALL) || this.apps.contains(appName);
	}

	/** Returns the language of an app. */
	Language language(String appName) {
		String code = this.languages.get(appName);
		return (code != null) ? language(appName, code) : Language.EN;
	}

	private static Language language(String appName, String code) {
		return Language.of(code)
			.orElseThrow(() -> new IllegalArgumentException(
					"agent-sessions.search.languages." + appName + ": unknown language '" + code + "'"));
	}

}
