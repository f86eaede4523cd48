package dev.agentsessions.postgres;

import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SecretStore;

/**
 * Stores secrets in the table {@code secrets}. The database generates them, so that no
 * statement contains one: statements may be logged.
 */
@Component
class PostgresSecretStore implements SecretStore {

	private static final String FIND = "select value from secrets where name = ?";

	/**
	 * Inserts 32 bytes, 244 bits of them random. Of replicas that start together, one
	 * inserts.
	 */
	private static final String MAKE = """
			insert into secrets (name, value)
			values (?, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) on conflict do nothing
			""";

	private final Transactions transactions;

	private final JdbcClient jdbc;

	PostgresSecretStore(Transactions transactions, JdbcClient jdbc) {
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	@Override
	public byte[] secret(String name) {
		return find(name).or(() -> {
			this.transactions.write(() -> this.jdbc.sql(MAKE).param(name).update());
			return find(name);
		}).orElseThrow();
	}

	private Optional<byte[]> find(String name) {
		return this.transactions.statement(() -> this.jdbc.sql(FIND).param(name).query(byte[].class).optional());
	}

}
