package dev.agentsessions.search;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

import dev.agentsessions.search.text.Language;
import dev.agentsessions.search.text.TextAnalysis;

/** The analysis of the texts of each app. Dictionaries are loaded with the first text. */
@Component
public class Analyses {

	private final SearchProperties properties;

	private final Map<Language, Supplier<TextAnalysis>> byLanguage = new EnumMap<>(Language.class);

	Analyses(SearchProperties properties) {
		this.properties = properties;
		for (Language language : Language.values()) {
			this.byLanguage.put(language, SingletonSupplier.of(() -> new TextAnalysis(language)));
		}
	}

	/** Returns the analysis of the texts of an app. */
	public TextAnalysis of(String appName) {
		return Objects.requireNonNull(this.byLanguage.get(this.properties.language(appName))).get();
	}

}
