package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/**
 * A session that expires while a writer waits for the lock of its row is gone for this
 * writer: another client may have got the response that there is no such session.
 */
class ExpiryBehindLockTests extends PostgresStoreTest {

	private static final SessionDetails RENAME = new SessionDetails("Holiday", null);

	@Autowired
	private JdbcConnectionDetails server;

	@ParameterizedTest
	@EnumSource
	void sessionThatExpiresWhileAWriterWaitsIsNotFound(Write write) throws SQLException {
		SessionName name = this.store.create(Sessions.empty(Sessions.newKey())).name();
		CompletableFuture<String> outcome;
		try (ForeignTransaction other = ForeignTransaction.begin(this.server)) {
			other.lock(name);
			outcome = Concurrently.start(() -> outcome(write, name));
			other.awaitWaiting(this.jdbc)
				.execute("update sessions set expire_time = clock_timestamp() where name_key = ?", ScopeKey.of(name))
				.commit();
		}
		assertThat(outcome.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("not found");
	}

	private String outcome(Write write, SessionName name) {
		try {
			write.on(name, this.store);
			return "stored";
		}
		catch (SessionException.NotFound ex) {
			return "not found";
		}
	}

	private enum Write {

		EXTEND {
			@Override
			void on(SessionName name, Stores store) {
				SessionDetails longer = new SessionDetails(null, null, Instant.now().plus(Duration.ofHours(1)));
				store.updateDetails(name, longer, Precondition.NONE);
			}
		},

		APPEND {
			@Override
			void on(SessionName name, Stores store) {
				store.append(name, Events.append(Events.delta("{\"user:k\":1}")));
			}
		},

		APPEND_AND_RENAME {
			@Override
			void on(SessionName name, Stores store) {
				store.append(name, new AppendRequest(Events.delta("{\"user:k\":1}"), Precondition.NONE, RENAME));
			}
		},

		BATCH {
			@Override
			void on(SessionName name, Stores store) {
				store.appendAll(name, List.of(Events.delta("{\"user:k\":1}")), Precondition.NONE);
			}
		},

		ACQUIRE_LEASE {
			@Override
			void on(SessionName name, Stores store) {
				store.acquire(name, new LeaseRequest("holder", Duration.ofMinutes(1), true), Precondition.NONE);
			}
		};

		abstract void on(SessionName name, Stores store);

	}

}
