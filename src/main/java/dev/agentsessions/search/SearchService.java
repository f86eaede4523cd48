package dev.agentsessions.search;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.validation.annotation.Validated;

import dev.agentsessions.search.SearchService.FoundTurns.FoundTurn;
import dev.agentsessions.search.SearchService.SearchResult.Hit;
import dev.agentsessions.search.SearchService.Store.IndexProgress;
import dev.agentsessions.search.text.QueryReader;
import dev.agentsessions.search.text.QueryReader.WordQuery;
import dev.agentsessions.search.text.QueryReader.WordQuery.Word;
import dev.agentsessions.search.text.SnippetMaker;
import dev.agentsessions.search.text.SnippetMaker.Snippet;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.search.text.TextAnalysis.Language;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/** Searches the texts of the sessions of a user. */
@Service
public class SearchService {

	private final Store store;

	private final Analyses analyses;

	private final SearchProperties properties;

	private final AccessPolicy access;

	private final MemoryAccess memoryAccess;

	SearchService(Store store, Analyses analyses, SearchProperties properties, AccessPolicy access,
			MemoryAccess memoryAccess) {
		this.store = store;
		this.analyses = analyses;
		this.properties = properties;
		this.access = access;
		this.memoryAccess = memoryAccess;
	}

	/**
	 * Searches the sessions of a user, for callers that may read them.
	 * @throws SessionException.InvalidArgument if the app is not searched
	 * @throws SessionException.Unavailable if the search takes too long
	 */
	public SearchResult search(SearchQuery query) {
		String appName = query.scope().appName();
		this.memoryAccess.check(Access.READ, query.scope());
		checkIsSearched(appName);
		TextAnalysis analysis = this.analyses.of(appName);
		WordQuery words = query.operators() ? QueryReader.query(analysis, query.text())
				: QueryReader.text(analysis, query.text());
		FoundTurns found = words.isEmpty() || query.filter().isUnsatisfiable() ? FoundTurns.NONE
				: this.store.search(query, words);
		SnippetMaker snippets = new SnippetMaker(analysis, words);
		Secrets secrets = this.access.secrets();
		List<Hit> hits = found.turns().stream().flatMap((turn) -> {
			FoundTurn seen = turn.seen(secrets);
			return isFoundAlike(turn.turn(), seen.turn(), words, analysis)
					? Stream.of(new Hit(seen, snippets.of(seen.turn().said().text()))) : Stream.empty();
		}).toList();
		return new SearchResult(hits, found.ranked(), found.more(), found.missing(), found.events(), found.semantic());
	}

	/** A hit by a word that is masked would say that the word is there. */
	private static boolean isFoundAlike(Turn turn, Turn seen, WordQuery query, TextAnalysis analysis) {
		return seen.said().equals(turn.said()) || words(seen, query, analysis).equals(words(turn, query, analysis));
	}

	private static Set<String> words(Turn turn, WordQuery query, TextAnalysis analysis) {
		return analysis.words(turn.said().text())
			.stream()
			.map(Word::term)
			.filter(query.words()::contains)
			.collect(Collectors.toSet());
	}

	/**
	 * Checks whether the caller may search the sessions of a user.
	 * @throws SessionException.InvalidArgument if the app is not searched
	 */
	public void checkMaySearch(StateOwner user) {
		this.access.check(Access.READ, user);
		checkIsSearched(user.appName());
	}

	/** Returns whether an app is searched. */
	public boolean isSearched(String appName) {
		return this.properties.includes(appName);
	}

	/**
	 * Indexes the events that a session has received since it was last indexed, at most
	 * as much as a search does.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.InvalidArgument if the app is not searched
	 */
	public void index(SessionName name) {
		this.access.check(Access.WRITE, name);
		checkIsSearched(name.appName());
		if (!this.store.index(name)) {
			throw new SessionException.NotFound();
		}
	}

	/**
	 * Indexes the events that the sessions of a user have received since they were last
	 * indexed.
	 * @param texts texts to look for
	 * @return the texts that no session of the user contains
	 * @throws SessionException.InvalidArgument if the app is not searched
	 * @throws SessionException.Unavailable if that takes more than a few seconds
	 */
	public Set<String> unsaid(StateOwner user, Collection<String> texts) {
		this.access.check(Access.WRITE, user);
		checkIsSearched(user.appName());
		return texts.isEmpty() ? Set.of() : this.store.unsaid(user, texts);
	}

	/**
	 * Indexes the events that the sessions of an app have received since they were last
	 * indexed, for a few seconds. For administrators.
	 * @param after the last user that is done; {@code null} to begin with the first one
	 * @throws SessionException.InvalidArgument if the app is not searched
	 */
	public IndexProgress index(String appName, @Nullable String after) {
		this.access.check(Access.ADMINISTER, new StateOwner(appName, null));
		checkIsSearched(appName);
		return this.store.index(appName, after);
	}

	/** Refuses an app that is not searched, and touches no table for it. */
	private void checkIsSearched(String appName) {
		InvalidArgument.check(isSearched(appName), "appName",
				"must be that of an app that is searched (agent-sessions.search.apps)");
	}

	/** Keeps the index of the texts of sessions, and searches it. */
	public interface Store {

		/**
		 * Indexes the events that the sessions of the user have received since they were
		 * last indexed, and searches. A search finds every event that was acknowledged
		 * before it began, unless it reports events that are missing. It never finds
		 * events of other users, nor any that are deleted, expired or rewound.
		 * @param words the words of the query
		 * @throws SessionException.Unavailable if the search takes too long
		 */
		FoundTurns search(SearchQuery query, WordQuery words);

		/**
		 * Indexes what a session has said since it was last indexed, at most as much as a
		 * search does.
		 * @return whether the user has such a session
		 */
		boolean index(SessionName name);

		/**
		 * Indexes what the sessions of the user have said since they were last indexed,
		 * and returns those of some texts that none of them says. Case, spaces and
		 * punctuation do not count.
		 * @throws SessionException.Unavailable if that takes more than a few seconds
		 */
		Set<String> unsaid(StateOwner user, Collection<String> texts);

		/**
		 * Indexes what the users of an app have said since they were last indexed, one
		 * user after the other, for a few seconds.
		 * @param after the last user that is done; {@code null} to begin with the first
		 * one
		 */
		IndexProgress index(String appName, @Nullable String after);

		/**
		 * How far the index of an app was brought up to date.
		 *
		 * @param users the number of users that are done
		 * @param events the number of events that were indexed
		 * @param lastUser the last user that is done; {@code null} if none is
		 * @param more whether there are further users
		 */
		record IndexProgress(int users, long events, @Nullable String lastUser, boolean more) {

		}

	}

	/**
	 * The analysis of the texts of each app. Dictionaries are loaded with the first text.
	 */
	@Component
	public static class Analyses {

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

	/**
	 * Settings of the search.
	 *
	 * @param apps the names of the apps that are searched; {@code *} for all; empty for
	 * none
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

	/**
	 * The answer to a search.
	 *
	 * @param hits the hits, the best first
	 * @param ranked the number of hits that the page covers, with those that are gone
	 * meanwhile
	 * @param more whether there are further ones
	 * @param missing the number of events that are not indexed yet
	 * @param events the number of all events to search, indexed or not; with none
	 * missing, it may be 0
	 * @param semantic whether the meaning of the query counts; {@code null} without an
	 * embedding model
	 */
	public record SearchResult(List<Hit> hits, int ranked, boolean more, long missing, long events,
			@Nullable Boolean semantic) {

		/**
		 * A turn that matches a query, with the part of it that has the words.
		 *
		 * @param found the turn
		 * @param snippet the part that has the words of the query
		 */
		public record Hit(FoundTurn found, Snippet snippet) {

		}

	}

	/**
	 * A page of the turns that match a query.
	 *
	 * @param turns the turns, the best first
	 * @param ranked the number of hits that the page covers, with those that are gone
	 * meanwhile
	 * @param more whether there are further ones
	 * @param missing the number of events that are not indexed yet
	 * @param events the number of all events to search, indexed or not; 0 if none was
	 * selected
	 * @param semantic whether the meaning of the query counts; {@code null} without an
	 * embedding model
	 */
	public record FoundTurns(List<FoundTurn> turns, int ranked, boolean more, long missing, long events,
			@Nullable Boolean semantic) {

		/** Nothing was found. */
		public static final FoundTurns NONE = new FoundTurns(List.of(), 0, false, 0, 0, null);

		/** Returns these turns with the statistics of the search. */
		public FoundTurns with(long missingEvents, long allEvents, @Nullable Boolean meaningCounts) {
			return new FoundTurns(this.turns, this.ranked, this.more, missingEvents, allEvents, meaningCounts);
		}

		/**
		 * A turn that matches a query.
		 *
		 * @param turn the turn
		 * @param score how much of the query it says, 0 to 1
		 * @param before the turns before it, in their order
		 * @param after the turns after it, in their order
		 */
		public record FoundTurn(Turn turn, double score, List<Turn> before, List<Turn> after) {

			FoundTurn seen(Secrets secrets) {
				return new FoundTurn(this.turn.seen(secrets), this.score, seen(this.before, secrets),
						seen(this.after, secrets));
			}

			private static List<Turn> seen(List<Turn> turns, Secrets secrets) {
				return turns.stream().map((turn) -> turn.seen(secrets)).toList();
			}

		}

	}

}
