package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The texts of errors, which may be logged, contain no values. */
@PostgresTest
class ErrorTextTests {

	@Autowired
	private JdbcTemplate jdbc;

	@Test
	void messageOfDuplicateKeyHasNoValues() {
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> this.jdbc.update("insert into state select zero, ? from (values (1), (2)) as twice,"
					+ " cast('00000000-0000-0000-0000-000000000000' as uuid) as zero", "secret"))
			.withMessageContaining("state_pkey")
			.withMessageNotContaining("secret");
	}

}
