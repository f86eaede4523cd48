package dev.agentsessions.session.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/** Who has a lease, and for how long, by a clock that may be wrong. */
class LeaseServiceTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");

	private static final long MICROS = 1_767_225_600_123_456L;

	/** What a program can hold that counts in binary floating point numbers. */
	private static final long LARGEST_SAFE_INTEGER = (1L << 53) - 1;

	private final Lease lease = new Lease(MICROS, "a", NOW.plusSeconds(60), false);

	@Test
	void leaseIsGrantedFromNow() {
		Lease granted = Lease.NONE.acquired(by("a"), null, NOW);
		assertThat(granted).isEqualTo(new Lease(granted.number(), "a", NOW.plusSeconds(60), false));
	}

	/** The end of a lease tells others when it was granted. */
	@Test
	void hasANumberThatIsNotToldByTheTime() {
		Set<Long> numbers = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			numbers.add(Lease.NONE.acquired(by("a"), null, NOW).number());
		}
		assertThat(numbers).hasSizeGreaterThan(990)
			.allSatisfy((number) -> assertThat(number).isBetween(MICROS + 1, MICROS + (1L << 32)));
	}

	@Test
	void staysANumberThatEveryLanguageCanHold() {
		Lease later = this.lease;
		for (int i = 0; i < 100_000; i++) {
			later = later.acquired(by("a"), null, NOW);
		}
		assertThat(later.number()).isLessThan(LARGEST_SAFE_INTEGER);
	}

	@ParameterizedTest
	@CsvSource({ "0, true", "59999999, true", "60000000, false", "99999999, false", "-5000000, true" })
	void isHeldUntilItsEnd(long micros, boolean held) {
		Instant now = NOW.plusNanos(1000 * micros);
		assertThatCode(() -> assertHeld(held, now)).doesNotThrowAnyException();
	}

	private void assertHeld(boolean held, Instant now) {
		if (held) {
			this.lease.check(MICROS, now);
			assertThatExceptionOfType(LeaseException.Busy.class)
				.isThrownBy(() -> this.lease.acquired(by("b"), null, now));
		}
		else {
			assertLost(this.lease, MICROS, now);
			assertThat(this.lease.acquired(by("b"), null, now).holder()).isEqualTo("b");
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, MICROS - 1, MICROS + 1, Long.MAX_VALUE })
	void isNotHeldByWhoShowsAnotherNumber(long number) {
		assertLost(this.lease, number, NOW);
		assertThat(this.lease.released(number)).isEqualTo(this.lease);
	}

	@Test
	void keepsItsNumberWhenItIsRenewed() {
		Instant later = NOW.plusSeconds(50);
		Lease renewed = this.lease.acquired(new LeaseRequest(null, Duration.ofSeconds(90), true), MICROS, later);
		assertThat(renewed).isEqualTo(new Lease(MICROS, "a", later.plusSeconds(90), true));
		assertThat(renewed.acquired(new LeaseRequest("b", Duration.ofSeconds(1), null), MICROS, later))
			.isEqualTo(new Lease(MICROS, "b", later.plusSeconds(1), true));
	}

	@Test
	void holderWithoutNumberGetsNewLease() {
		Lease again = this.lease.acquired(by("a"), null, NOW.plusSeconds(1));
		assertThat(again.number()).isGreaterThan(MICROS + 1_000_000);
		assertThat(again.end()).isEqualTo(NOW.plusSeconds(61));
		assertLost(again, MICROS, NOW.plusSeconds(1));
	}

	/**
	 * The clock of the store is set back, or that of the server that takes over is late.
	 */
	@Test
	void leaseNumberGrowsWhenClockGoesBack() {
		Lease later = this.lease;
		for (int back = 1; back < 4; back++) {
			long before = later.number();
			later = later.released(before).acquired(by("b"), null, NOW.minusSeconds(3600 * back));
			assertThat(later.number()).isGreaterThan(before);
		}
	}

	@Test
	void releasedLeaseIsNotHeld() {
		Lease released = this.lease.released(MICROS);
		assertThat(released).isEqualTo(new Lease(MICROS, null, null, false));
		assertLost(released, MICROS, NOW.minusSeconds(99_999));
		assertThat(released.released(MICROS)).isEqualTo(released);
		assertThat(Lease.NONE.released(0)).isEqualTo(Lease.NONE);
		assertLost(Lease.NONE, 0, NOW);
	}

	@Test
	void keepsOthersOutOnlyIfItIsExclusive() {
		this.lease.checkOpen(NOW);
		Lease exclusive = this.lease.acquired(new LeaseRequest("a", Duration.ofSeconds(60), true), null, NOW);
		assertThatExceptionOfType(LeaseException.Busy.class).isThrownBy(() -> exclusive.checkOpen(NOW));
		exclusive.checkOpen(NOW.plusSeconds(60));
		exclusive.released(exclusive.number()).checkOpen(NOW);
	}

	@ParameterizedTest
	@CsvSource({ "0, 60", "59000, 1", "59001, 1", "59999, 1", "58999, 2", "-10000, 70" })
	void tellsHowLongItMayLast(long millis, long seconds) {
		assertThatExceptionOfType(LeaseException.Busy.class)
			.isThrownBy(() -> this.lease.acquired(by("b"), null, NOW.plusMillis(millis)))
			.satisfies((busy) -> {
				assertThat(busy.details()).containsEntry("holder", "a")
					.containsEntry("expireTime", Timestamps.toSeconds(NOW.plusSeconds(60)));
				assertThat(busy.retryAfter()).hasValue(seconds);
			});
	}

	@ParameterizedTest
	@CsvSource({ "PT0.999999999S, ttl must be between 1 and 3600 seconds", "PT1H0.000000001S, ttl must be between",
			"PT0S, ttl must be between", "PT-1S, ttl must be between" })
	void lastsNeitherTooShortNorTooLong(Duration ttl, String text) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> new LeaseRequest("a", ttl, null))
			.withMessageStartingWith(text);
	}

	private static LeaseRequest by(@Nullable String holder) {
		return new LeaseRequest(holder, Duration.ofSeconds(60), null);
	}

	private static void assertLost(Lease lease, long number, Instant now) {
		assertThatExceptionOfType(LeaseException.Lost.class).isThrownBy(() -> lease.check(number, now));
	}

}
