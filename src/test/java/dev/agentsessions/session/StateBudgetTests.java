package dev.agentsessions.session;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A state is looked at only when its budget is used up. */
class StateBudgetTests {

	private final AtomicLong looks = new AtomicLong();

	private final StateBudget budget = new StateBudget(1000);

	@Test
	void spendsATenthOfTheLimitWithoutALook() {
		assertThat(spend(60, 0)).isTrue();
		assertThat(spend(40, 0)).isTrue();
		assertThat(this.looks).hasValue(0);
		assertThat(spend(1, 0)).isTrue();
		assertThat(this.looks).hasValue(1);
	}

	@Test
	void spendsAnotherTenthAfterALook() {
		spend(100, 0);
		assertThat(spend(50, 100)).isTrue();
		assertThat(spend(100, 150)).isTrue();
		assertThat(this.looks).hasValue(1);
	}

	@Test
	void refusesWhatTheStateHasNoRoomFor() {
		assertThat(spend(1001, 0)).isFalse();
		assertThat(new StateBudget(1000).spend(101, () -> 900)).isFalse();
		assertThat(new StateBudget(1000).spend(101, () -> 899)).isTrue();
	}

	@Test
	void takesAFullStateForFullWithoutAnotherLook() {
		spend(100, 0);
		assertThat(spend(1, 1000)).isFalse();
		assertThat(spend(1, 0)).isFalse();
		assertThat(this.looks).hasValue(1);
	}

	@Test
	void looksAgainOnceSomethingWasRemoved() {
		spend(100, 0);
		assertThat(spend(1, 1000)).isFalse();
		this.budget.lookAgain();
		assertThat(spend(1, 500)).isTrue();
		assertThat(this.looks).hasValue(2);
	}

	private boolean spend(long bytes, long size) {
		return this.budget.spend(bytes, () -> {
			this.looks.incrementAndGet();
			return size;
		});
	}

}
