package dev.agentsessions.session;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.state.ScopedState;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateScope;

/**
 * Keeps the state of each scope below a limit without reading it at every change. Each
 * scope that this replica writes to has a budget of a tenth of the limit, from which
 * every change is taken. Only when it is used up, the state is read and the budget
 * renewed: so most states are never read for this at all, and a byte written to a large
 * one costs about ten that are read, a hundred where it is all but full. A state can
 * outgrow the limit by a tenth for each replica, and each time that one forgets it.
 */
@Component
class StateBudgets {

	/** Beyond, budgets of scopes that were not written to for long begin anew. */
	private static final int MAX_SCOPES = 100_000;

	private final SessionStore store;

	private final long limit;

	private final LoadingCache<Object, StateBudget> budgets;

	StateBudgets(SessionStore store, LimitProperties properties) {
		this.store = store;
		this.limit = properties.stateSize().toBytes();
		this.budgets = Caffeine.newBuilder()
			.maximumSize(MAX_SCOPES)
			.expireAfterAccess(Duration.ofHours(1))
			.build((scope) -> new StateBudget(this.limit));
	}

	/** Takes what a new session sets from the budgets of its scopes. */
	void spend(SessionKey key, StateDelta delta) {
		spend(key, "The state of the session", delta.in(StateScope.SESSION), () -> 0);
		spend(key.user(), delta.in(StateScope.USER));
		spend(key.app(), delta.in(StateScope.APP));
	}

	/** Takes a change from the budgets of its scopes, unless the event is stored. */
	void spend(SessionKey key, StateDelta delta, String eventId) {
		try {
			spend(key, "The state of the session", delta.in(StateScope.SESSION), () -> size(key));
			spend(key.user(), delta.in(StateScope.USER));
			spend(key.app(), delta.in(StateScope.APP));
		}
		catch (SessionException.PayloadTooLarge ex) {
			if (this.store.event(key, eventId).isEmpty()) {
				throw ex;
			}
		}
	}

	/** Takes a change of shared state from its budget. */
	void spend(StateOwner owner, StateDelta changes) {
		spend(owner, changes.changes());
	}

	private void spend(StateOwner owner, Map<String, JsonText> changes) {
		String what = (owner.userId() != null) ? "The state of the user" : "The state of the app";
		spend(owner, what, changes, () -> size(this.store.state(owner)));
	}

	private void spend(Object scope, String what, Map<String, JsonText> changes, LongSupplier size) {
		if (changes.isEmpty()) {
			return;
		}
		Map<String, JsonText> set = ScopedState.apply(Map.of(), changes);
		StateBudget budget = this.budgets.get(scope);
		if (set.size() < changes.size()) {
			budget.lookAgain();
		}
		if (!set.isEmpty() && !budget.spend(size(set), size)) {
			throw new SessionException.PayloadTooLarge(what, this.limit, "bytes", "agent-sessions.limits.state-size");
		}
	}

	private long size(SessionKey key) {
		return this.store.find(key, EventWindow.NONE)
			.map((session) -> size(new StateDelta(session.state()).in(StateScope.SESSION)))
			.orElse(0L);
	}

	/** About so many bytes; counting characters is cheaper than encoding them. */
	private static long size(Map<String, JsonText> state) {
		return state.entrySet()
			.stream()
			.mapToLong((entry) -> entry.getKey().length() + entry.getValue().text().length())
			.sum();
	}

}
