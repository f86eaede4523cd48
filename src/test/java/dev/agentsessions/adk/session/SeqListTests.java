package dev.agentsessions.adk.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.agentsessions.adk.session.AdkSession.SeqList;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;

/** The seqs of events are known once the events are written. */
class SeqListTests {

	@Test
	void seqListWithoutEventsIsEmpty() {
		assertThat(written()).isEmpty();
	}

	@Test
	void seqListHasConsecutiveSeqs() {
		assertThat(written(1, 2, 3)).containsExactly(1L, 2L, 3L);
		assertThat(written(7)).containsExactly(7L);
		assertThat(written(5_000_000_000L, 5_000_000_001L)).containsExactly(5_000_000_000L, 5_000_000_001L);
	}

	@Test
	void seqListLeavesOutGaps() {
		assertThat(written(2, 5, 6, 9)).containsExactly(2L, 5L, 6L, 9L);
	}

	@Test
	void seqListHasEveryOtherSeqOfMillion() {
		long[] odd = LongStream.iterate(1, (seq) -> seq < 1_000_000, (seq) -> seq + 2).toArray();
		assertThat(written(odd)).isEqualTo(LongStream.of(odd).boxed().toList());
	}

	private static List<Long> written(long... seqs) {
		SeqList list = new SeqList();
		LongStream.of(seqs).mapToObj((seq) -> new Event(seq, Instant.EPOCH, "e", JsonText.NULL)).forEach(list::add);
		List<Long> written = new ArrayList<>();
		list.forEach(written::add);
		return written;
	}

}
