package dev.agentsessions.console.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.memory.AppSearcher.AppSearchStep.AppSearchPosition;
import dev.agentsessions.console.memory.AppSearcher.AppSearchStep.UserHits;
import dev.agentsessions.console.memory.SearchPageController.SearchScope;
import dev.agentsessions.console.memory.SearchPageController.SessionHits;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.search.SearchService.SearchResult;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ErrorResponder;

/**
 * Searches the users of an app one after the other, in the order of the list of users. A
 * step ends after some time, so that the page can say how far it has come.
 */
@Component
class AppSearcher {

	private static final int MAX_USERS = 100;

	private static final int MAX_HITS_OF_USER = 5;

	private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

	private static final Filter WITH_FACTS = new Filter(List.of(), null, null, null, null, true);

	private final SearchService search;

	private final SessionService sessions;

	private final ErrorResponder errors;

	AppSearcher(SearchService search, SessionService sessions, ErrorResponder errors) {
		this.search = search;
		this.sessions = sessions;
		this.errors = errors;
	}

	/** Searches the next users, for callers that may list all users. */
	AppSearchStep search(String appName, String q, AppSearchPosition from, Links links) {
		String after = from.after().isEmpty() ? null : from.after();
		Page<UserSummary> users = this.sessions.users(new UserQuery(new StateOwner(appName, null), after, MAX_USERS));
		Step step = new Step(q, from);
		int done = 0;
		while (done < users.items().size() && !step.isOver() && step
			.search(new SearchScope(new StateOwner(appName, users.items().get(done).userId()), null, links))) {
			done++;
		}
		return new AppSearchStep(step.found, from, step.position, step.unfinished,
				users.more() || done < users.items().size());
	}

	/** The step that a request does. */
	private final class Step {

		private final String q;

		private final AppSearchPosition from;

		private final long end = System.nanoTime() + MAX_NANOS;

		private final List<UserHits> found = new ArrayList<>();

		private AppSearchPosition position;

		private @Nullable String unfinished;

		private Step(String q, AppSearchPosition from) {
			this.q = q;
			this.from = from;
			this.position = from;
		}

		private boolean isOver() {
			return System.nanoTime() - this.end >= 0 || AppSearchStep.isPageFull(this.from, this.position);
		}

		/** Returns whether the user is done. */
		private boolean search(SearchScope scope) {
			try {
				SearchResult result = searchUntilOver(new SearchQuery(MemoryScope.of(scope.user()), this.q, true,
						WITH_FACTS, 0, MAX_HITS_OF_USER, 0, 1));
				return result.missing() == 0 ? found(result, scope) : leave(result);
			}
			catch (SessionException.Unavailable ex) {
				AppSearcher.this.errors.log(ex);
				return fail(scope);
			}
		}

		private SearchResult searchUntilOver(SearchQuery query) {
			SearchResult result = AppSearcher.this.search.search(query);
			long left = Long.MAX_VALUE;
			while (result.missing() > 0 && result.missing() < left && !isOver()) {
				left = result.missing();
				result = AppSearcher.this.search.search(query);
			}
			return result;
		}

		private boolean found(SearchResult result, SearchScope scope) {
			if (!result.hits().isEmpty()) {
				this.found.add(UserHits.of(result, scope, this.q));
			}
			this.position = this.position.found(scope.userId(), result.hits().size());
			return true;
		}

		private boolean leave(SearchResult result) {
			this.position = this.position.left(result.missing());
			this.unfinished = String.format(Locale.ROOT, "%,d of %,d events of the next user are searched.",
					Math.max(0, result.events() - result.missing()), result.events());
			return false;
		}

		/** Leaves out a user whose search has failed before. */
		private boolean fail(SearchScope scope) {
			boolean again = this.position.hasFailed();
			if (again) {
				this.found.add(UserHits.failed(scope, this.q));
			}
			this.position = again ? this.position.skip(scope.userId()) : this.position.fail();
			return again;
		}

	}

	/**
	 * A step of the search of an app.
	 *
	 * @param users the users with hits, and those whose search failed
	 * @param from where the step began
	 * @param until where the next step begins
	 * @param unfinished what is known of the user that the next step begins with;
	 * {@code null} if this user was not searched yet
	 * @param more whether there are further users
	 */
	record AppSearchStep(List<UserHits> users, AppSearchPosition from, AppSearchPosition until,
			@Nullable String unfinished, boolean more) {

		private static final int MAX_HITS_OF_PAGE = 50;

		/**
		 * Returns whether a page has enough hits, so that the viewer has to ask for more.
		 */
		static boolean isPageFull(AppSearchPosition from, AppSearchPosition until) {
			return from.hits() / MAX_HITS_OF_PAGE < until.hits() / MAX_HITS_OF_PAGE;
		}

		/**
		 * Returns when the page requests the next step, for htmx; {@code null} for never.
		 */
		public @Nullable String trigger() {
			if (!this.more || isPageFull(this.from, this.until)) {
				return null;
			}
			boolean stuck = this.until.hasFailed() || (this.until.left() > 0 && this.until.left() == this.from.left());
			return stuck ? SearchProgress.LATER : SearchProgress.AT_ONCE;
		}

		public String text() {
			String searched = String.format(Locale.ROOT,
					this.more ? "Searched users: %,d." : "Searched users: %,d, all of them.", this.until.users());
			String failed = (this.until.failed() > 0)
					? String.format(Locale.ROOT, " The search of %,d of them failed.", this.until.failed()) : "";
			return searched + failed + ((this.unfinished != null) ? " " + this.unfinished : "") + " " + hits();
		}

		private String hits() {
			if (this.until.hits() > 0) {
				return String.format(Locale.ROOT, "Hits until now: %,d.", this.until.hits());
			}
			return this.more ? "Nothing was found so far." : "Nothing was found.";
		}

		/**
		 * The hits of one user in the search of an app.
		 *
		 * @param name the id of the user
		 * @param link the page of the user
		 * @param searchLink the page that searches the sessions of the user
		 * @param all the page with all hits of the user; {@code null} if all of them are
		 * here
		 * @param groups the hits by session; {@code null} if the search failed
		 */
		record UserHits(TruncatedText name, String link, String searchLink, @Nullable String all,
				@Nullable List<SessionHits> groups) {

			static UserHits of(SearchResult result, SearchScope scope, String q) {
				return of(scope, result.more() ? scope.page(q) : null, SessionHits.of(result.hits(), scope));
			}

			static UserHits failed(SearchScope scope, String q) {
				return of(scope, scope.page(q), null);
			}

			private static UserHits of(SearchScope scope, @Nullable String all, @Nullable List<SessionHits> groups) {
				return new UserHits(TruncatedText.line(scope.userId()), scope.links().owner(scope.user()), scope.link(),
						all, groups);
			}

		}

		/**
		 * How far the search of all users of an app has come.
		 *
		 * @param after the last user that is done; blank for none
		 * @param users the number of users that are done
		 * @param hits the number of hits on the pages until here
		 * @param failed the number of users that are done although their search failed
		 * @param left the number of events of the next user that are not indexed yet,
		 * {@link #FAILED} if the search of this user has failed once; 0 before the first
		 * attempt
		 */
		record AppSearchPosition(String after, long users, long hits, long failed, long left) {

			static final AppSearchPosition START = new AppSearchPosition("", 0, 0, 0, 0);

			private static final long FAILED = -1;

			/** Reads a position from a page token. */
			static AppSearchPosition of(List<String> texts) {
				return new AppSearchPosition(texts.get(0), Long.parseLong(texts.get(1)), Long.parseLong(texts.get(2)),
						Long.parseLong(texts.get(3)), Long.parseLong(texts.get(4)));
			}

			String[] texts() {
				return new String[] { this.after, Long.toString(this.users), Long.toString(this.hits),
						Long.toString(this.failed), Long.toString(this.left) };
			}

			AppSearchPosition found(String userId, int hits) {
				return new AppSearchPosition(userId, this.users + 1, this.hits + hits, this.failed, 0);
			}

			/** Leaves out a user, whose search fails again and again. */
			AppSearchPosition skip(String userId) {
				return new AppSearchPosition(userId, this.users + 1, this.hits, this.failed + 1, 0);
			}

			/** Stays before a user whose events are not all indexed yet. */
			AppSearchPosition left(long events) {
				return new AppSearchPosition(this.after, this.users, this.hits, this.failed, events);
			}

			/** Stays before a user whose search has failed. */
			AppSearchPosition fail() {
				return left(FAILED);
			}

			boolean hasFailed() {
				return this.left == FAILED;
			}

		}

		/**
		 * How far a search has come that is not complete. The page requests the next step
		 * by itself.
		 *
		 * @param searched the number of events that are searched
		 * @param events the number of all events
		 * @param link the page that searches more events
		 * @param trigger when the page requests it, for htmx
		 */
		record SearchProgress(long searched, long events, String link, String trigger) {

			static final String AT_ONCE = "load";

			/**
			 * Another request keeps the rest from being indexed, so it needs a moment.
			 */
			static final String LATER = "load delay:2s";

			/**
			 * Returns the progress of a search; {@code null} if it is complete.
			 * @param left the number of events that the step before has left; 0 without
			 * one
			 * @param here the page of the search
			 */
			static @Nullable SearchProgress of(SearchResult result, long left, String here) {
				if (result.missing() == 0) {
					return null;
				}
				long searched = Math.max(0, result.events() - result.missing());
				return new SearchProgress(searched, result.events(), here + "&left=" + result.missing(),
						(result.missing() == left) ? LATER : AT_ONCE);
			}

			public String text() {
				return String.format(Locale.ROOT, "%,d of %,d events are searched. The search goes on.", this.searched,
						this.events);
			}

		}

	}

}
