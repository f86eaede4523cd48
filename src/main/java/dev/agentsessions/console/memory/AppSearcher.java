package dev.agentsessions.console.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.console.memory.AppSearchStep.AppSearchPosition;
import dev.agentsessions.console.memory.AppSearchStep.UserHits;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.search.MemoryScope;
import dev.agentsessions.search.SearchQuery;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchResult;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.lifecycle.UserQuery;
import dev.agentsessions.session.lifecycle.UserQuery.UserSummary;
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

}
