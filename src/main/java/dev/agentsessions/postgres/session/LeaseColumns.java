package dev.agentsessions.postgres.session;

import java.time.Instant;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.lease.Lease;

/**
 * The lease in the row of a session. All columns are null if the session never had one.
 *
 * @param number the number of the lease
 * @param holder the name of the client that holds it
 * @param end when it ends; {@code null} if it was released
 * @param exclusive whether only the holder may append
 */
@Embeddable
record LeaseColumns(@Column(name = "lease") long number, @Column(name = "lease_holder") @Nullable String holder,
		@Column(name = "lease_end") @Nullable Instant end,
		@Column(name = "lease_exclusive") @Nullable Boolean exclusive) {

	static LeaseColumns of(Lease lease) {
		return new LeaseColumns(lease.number(), lease.holder(), lease.end(),
				(lease.end() != null) ? lease.exclusive() : null);
	}

	Lease toLease() {
		return new Lease(this.number, this.holder, this.end, Boolean.TRUE.equals(this.exclusive));
	}

}
