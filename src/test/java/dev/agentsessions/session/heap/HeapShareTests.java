package dev.agentsessions.session.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.heap.HeapBudget.HeapShare;

/** What may take how much of the heap. */
class HeapShareTests {

	private static final double MAX_SUM = 0.85;

	@Test
	void leaveMemoryToTheRestOfTheService() {
		long sum = Stream.of(HeapShare.values()).mapToLong(HeapShare::bytes).sum();
		assertThat(sum).isLessThanOrEqualTo((long) (MAX_SUM * Runtime.getRuntime().maxMemory()));
	}

}
