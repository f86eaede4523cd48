package dev.agentsessions.postgres;

import java.time.ZoneOffset;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SignOutStore;
import dev.agentsessions.session.SignOutStore.SignIn;

/** Stores signed-out cookies in the table {@code signed_out_cookies}. */
@Component
class PostgresSignOutStore implements SignOutStore {

	private static final String FIND = """
			select exists (select from signed_out_cookies
			where credentials = decode(?, 'hex') and cookie = decode(?, 'hex'))
			""";

	/**
	 * Deletes cookies an hour after their expiry: the clocks of the replicas, which
	 * decide about it, may differ.
	 */
	private static final String ADD = """
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

	private final JdbcTemplate jdbc;

	PostgresSignOutStore(Transactions transactions, JdbcTemplate jdbc) {
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	@Override
	public void signOut(SignIn signIn) {
		this.transactions.write(() -> this.jdbc.update(ADD, signIn.credentials(), signIn.cookie(),
				MAX_COOKIES_PER_CREDENTIALS - 1, signIn.end().atOffset(ZoneOffset.UTC)));
	}

	@Override
	public boolean isSignedOut(SignIn signIn) {
		return Boolean.TRUE.equals(this.transactions
			.statement(() -> this.jdbc.queryForObject(FIND, Boolean.class, signIn.credentials(), signIn.cookie())));
	}

}
