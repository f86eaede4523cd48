package dev.agentsessions.postgres;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.contract.Stores;

/** Base of tests on the store in PostgreSQL. */
@PostgresTest
public abstract class PostgresStoreTest implements StoreUnderTest {

	@Autowired
	protected Stores store;

	@Autowired
	protected JdbcTemplate jdbc;

	@Override
	public final Stores store() {
		return this.store;
	}

}
