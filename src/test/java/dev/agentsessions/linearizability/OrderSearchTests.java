package dev.agentsessions.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

/** The checker sees what is wrong, and nothing where nothing is. */
class OrderSearchTests {

	private final List<Operation<String>> history = new ArrayList<>();

	@Test
	void findsTheOrderOfOperationsThatOverlap() {
		write("a", 0, 10);
		write("b", 0, 10);
		read("b", 1, 3);
		read("a", 4, 12);
		assertThat(fault()).isEmpty();
	}

	@Test
	void refusesAReadOfWhatHasDefinitelyBeenOverwritten() {
		write("a", 0, 1);
		write("b", 2, 3);
		read("a", 4, 5);
		assertThat(fault()).hasValueSatisfying((text) -> assertThat(text).contains("read a", "No order"));
	}

	@Test
	void refusesAReadThatGoesBackInTime() {
		write("a", 0, 1);
		write("b", 2, 10);
		read("b", 3, 4);
		read("a", 5, 6);
		assertThat(fault()).isPresent();
	}

	@Test
	void letsWhatWasNotAnsweredHappenLateOrNever() {
		write("a", 0, 1);
		this.history.add(Operation.unanswered("write b", 2, (before) -> List.of("b")));
		read("a", 10, 11);
		assertThat(fault()).isEmpty();
		read("b", 20, 21);
		assertThat(fault()).isEmpty();
		read("a", 30, 31);
		assertThat(fault()).isPresent();
	}

	@Test
	void takesWhatDidNotHappenForNothing() {
		this.history.add(Operation.unanswered("write b", 5, (before) -> List.of("b")));
		read("b", 0, 4);
		assertThat(fault()).isPresent();
	}

	@Test
	void letsAChangeHaveItsEffectLaterThoughItWouldHaveNoneNow() {
		write("", 0, 10);
		write("a", 0, 9);
		read("", 11, 12);
		assertThat(fault()).isEmpty();
	}

	@Test
	void decidesAboutManyAtOnce() {
		for (int i = 0; i < 2000; i++) {
			write("v" + i, 10L * i, 10L * i + 45);
			read("v" + i, 10L * i + 5, 10L * i + 40);
		}
		assertThat(fault()).isEmpty();
	}

	private void write(String value, long from, long until) {
		this.history.add(Operation.changed("write " + value, from, until, (before) -> List.of(value)));
	}

	private void read(String value, long from, long until) {
		this.history.add(Operation.seen("read " + value, from, until,
				(before) -> before.equals(value) ? List.of(before) : List.of()));
	}

	private Optional<String> fault() {
		return OrderSearch.findFault(this.history, "", 100_000);
	}

}
