package dev.agentsessions.postgres.session;

import java.util.function.Function;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/** Grants leases, in a transaction that locks the row of the session. */
@Component
class PostgresLeaseStore implements LeaseService.Store {

	private final SessionKeys keys;

	private final Transactions transactions;

	private final SessionRepository sessions;

	private final PreconditionChecker preconditions;

	PostgresLeaseStore(SessionKeys keys, Transactions transactions, SessionRepository sessions,
			PreconditionChecker preconditions) {
		this.keys = keys;
		this.transactions = transactions;
		this.sessions = sessions;
		this.preconditions = preconditions;
	}

	@Override
	public Lease acquire(SessionName name, LeaseRequest request, Precondition precondition) {
		return change(name, (session) -> {
			Lease lease = session.lease().acquired(request, precondition.lease(), this.sessions.now());
			this.preconditions.check(session, precondition.under(null));
			return lease;
		});
	}

	@Override
	public void release(SessionName name, long number) {
		change(name, (session) -> session.lease().released(number));
	}

	private Lease change(SessionName name, Function<SessionEntity, Lease> change) {
		return this.keys.with(name, (key) -> this.transactions.write(key, () -> {
			SessionEntity session = this.sessions.findForUpdate(key).orElseThrow(SessionException.NotFound::new);
			Lease lease = change.apply(session);
			session.setLease(lease);
			return lease;
		}));
	}

}
