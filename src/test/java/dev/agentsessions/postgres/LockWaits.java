package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import dev.agentsessions.postgres.StatementRecorder.Recorded;

/**
 * A statement that waits for a row keeps a connection, which others need. So each
 * statement that locks rows limits this wait, or an earlier one of its transaction does.
 */
final class LockWaits {

	private static final Pattern LOCKS_ROWS = Pattern
		.compile("\\b(insert into|update \\w+ (as \\w+ )?set|delete from|for (no key )?update|for (key )?share)\\b");

	private LockWaits() {
	}

	static void assertLimited(List<Recorded> statements) {
		Set<String> limited = new HashSet<>();
		for (Recorded statement : statements) {
			if (statement.sql().contains("lock_timeout")) {
				limited.add(statement.connection());
			}
			boolean waits = LOCKS_ROWS.matcher(statement.sql()).find();
			assertThat(!waits || limited.contains(statement.connection())).as(statement.sql()).isTrue();
			if (statement.isCommit()) {
				limited.remove(statement.connection());
			}
		}
	}

}
