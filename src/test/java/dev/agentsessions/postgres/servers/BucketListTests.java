package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.postgres.servers.MoveBuckets.BucketList;
import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;

class BucketListTests {

	@Test
	void readsNumbersAndRanges() {
		assertThat(BucketList.parse("7")).containsExactly(7);
		assertThat(BucketList.parse("0-2,254-255, 4")).containsExactly(0, 1, 2, 4, 254, 255);
		assertThat(BucketList.parse("3,1-4")).containsExactly(1, 2, 3, 4);
		assertThat(BucketList.parse("0-255")).hasSize(256);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "b", "256", "-1", "3-1", "0-256", "1,,2", "1-", "0x7", "1-2-3" })
	void refusesAnythingElse(String text) {
		assertThatExceptionOfType(MoveException.class).isThrownBy(() -> BucketList.parse(text))
			.withMessageContaining("'" + text + "' names no buckets");
	}

}
