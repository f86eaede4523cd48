package dev.agentsessions.postgres;

import java.time.ZoneOffset;
import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SecretStore.SignOutStore;

/**
 * Stores secrets in the table {@code secrets}, and signed-out cookies in the table
 * {@code signed_out_cookies}. The database generates the secrets, so that no statement
 * contains one: statements may be logged.
 */
@Component
class PostgresSecretStore implements SecretStore, SignOutStore {

	private static final String FIND = "select value from secrets where name = ?";

	/**
	 * Inserts 32 bytes, 244 bits of them random. Of replicas that start together, one
	 * inserts.
	 */
	private static final String MAKE = """
			insert into secrets (name, value)
			values (?, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) on conflict do nothing
			""";

	private static final String FIND_SIGN_OUT = """
			select exists (select from signed_out_cookies
			where credentials = decode(?, 'hex') and cookie = decode(?, 'hex'))
			""";

	/**
	 * Deletes cookies an hour after their expiry: the clocks of the replicas, which
	 * decide about it, may differ.
	 */
	private static final String SIGN_OUT = """
			with given as (select decode(?, 'hex') as credentials, decode(?, 'hex') as cookie),
			ended as (delete from signed_out_cookies where end_time < now() - interval '1 hour'),
			surplus as (delete from signed_out_cookies where (credentials, cookie) in (
			    select credentials, cookie from signed_out_cookies
			    where credentials = (select credentials from given)
			    order by end_time desc, cookie offset ?))
			insert into signed_out_cookies (credentials, cookie, end_time)
			select credentials, cookie, ? from given on conflict do nothing
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

	@Override
	public void signOut(SignIn signIn) {
		this.transactions.write(() -> this.jdbc.sql(SIGN_OUT)
			.params(signIn.credentials(), signIn.cookie(), MAX_COOKIES_PER_CREDENTIALS - 1,
					signIn.end().atOffset(ZoneOffset.UTC))
			.update());
	}

	@Override
	public boolean isSignedOut(SignIn signIn) {
		return this.transactions.statement(() -> this.jdbc.sql(FIND_SIGN_OUT)
			.params(signIn.credentials(), signIn.cookie())
			.query(Boolean.class)
			.single());
	}

}
