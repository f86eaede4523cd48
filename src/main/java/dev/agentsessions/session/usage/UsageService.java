package dev.agentsessions.session.usage;

import java.time.Instant;
import java.util.Optional;

import org.springframework.stereotype.Service;

import dev.agentsessions.session.Access;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;

/** Adds up what sessions have spent. */
@Service
public class UsageService {

	private final UsageStore store;

	private final PriceProperties prices;

	private final AccessPolicy access;

	UsageService(UsageStore store, PriceProperties prices, AccessPolicy access) {
		this.store = store;
		this.prices = prices;
		this.access = access;
	}

	/**
	 * Adds up the events of a session, of a user, or of an app, a bounded number for each
	 * call. Only administrators may do so for an app.
	 * @throws SessionException.NotFound if the query names a session that does not exist
	 */
	public UsageReport report(UsageQuery query) {
		return report(query, Long.MAX_VALUE);
	}

	/**
	 * Adds up no more events than a caller needs.
	 * @param maxEvents after this number, only the events of the same statement are added
	 * @throws SessionException.NotFound if the query names a session that does not exist
	 */
	public UsageReport report(UsageQuery query, long maxEvents) {
		check(query);
		UsageCollector collector = new UsageCollector(query.by(), query.timed());
		Secrets secrets = this.access.secrets();
		UsageStore.End end = this.store
			.read(query, () -> collector.isFull() || collector.events() >= maxEvents,
					(event) -> collector.add(event.seen(secrets)))
			.orElseThrow(SessionException.NotFound::new);
		return collector.toReport(end, this.prices);
	}

	/**
	 * Adds up the tokens of the events directly before an event that belong to the same
	 * invocation.
	 * @param seq the seq of the event
	 * @param invocationId the invocation of the event
	 * @return the tokens; empty if there are too many events to read
	 */
	public Optional<Tokens> before(SessionKey session, long seq, String invocationId) {
		this.access.check(Access.READ, session);
		UsageSum sum = new UsageSum(seq, Instant.EPOCH);
		boolean complete = this.store.readBefore(session, seq, invocationId, sum::add);
		return complete ? Optional.of(sum.tokens()) : Optional.empty();
	}

	private void check(UsageQuery query) {
		SessionKey session = query.session();
		if (session != null) {
			this.access.check(Access.READ, session);
		}
		else {
			boolean allUsers = query.owner().userId() == null;
			this.access.check(allUsers ? Access.ADMINISTER : Access.READ, query.owner());
		}
	}

}
