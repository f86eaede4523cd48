package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.RandomHistories;
import dev.agentsessions.session.event.NewEvent;

/** What is remembered of views, and what events were before there was a kind. */
class ContextViewsTests extends PostgresStoreTest {

	@Autowired
	private ContextViews views;

	@Autowired
	private ApplicationContext beans;

	@Test
	void cachedContextViewEqualsComputedView() {
		for (long seed = 200; seed < 212; seed++) {
			SessionKey key = newSession();
			List<BitSet> remembered = new ArrayList<>();
			for (NewEvent event : events(seed)) {
				store(key, event);
				remembered.add(left(this.views, key, remembered.size() + 1));
				assertThat(left(fresh(), key, remembered.size())).as("seed %d, event %d", seed, remembered.size())
					.isEqualTo(remembered.get(remembered.size() - 1));
			}
			for (int seq = 1; seq <= remembered.size(); seq++) {
				assertThat(left(this.views, key, seq)).as("seed %d, as of %d", seed, seq)
					.isEqualTo(remembered.get(seq - 1));
			}
		}
	}

	/** Only the events that rewind or compact are given a kind by the migration. */
	@Test
	void contextViewOfEventsWithoutKindIsEqual() {
		for (long seed = 220; seed < 232; seed++) {
			SessionKey key = newSession();
			List<NewEvent> events = events(seed);
			this.store.appendAll(key, events, Precondition.NONE);
			BitSet left = left(this.views, key, events.size());
			this.jdbc.update("update events set kind = case when kind & 12 <> 0 then 4095 end where session_key = ?",
					birth(key));
			assertThat(left(fresh(), key, events.size())).as("seed %d", seed).isEqualTo(left);
		}
	}

	@Test
	void unchangedContextViewUsesNoStatement() {
		SessionKey key = newSession();
		this.store.appendAll(key, events(240), Precondition.NONE);
		int size = (int) this.store.find(key, EventWindow.NONE).orElseThrow().revision();
		left(this.views, key, size);
		UUID birth = birth(key);
		assertThat(StatementRecorder.record(() -> fresh().visible(birth, size))).isNotEmpty();
		assertThat(StatementRecorder.record(() -> this.views.visible(birth, size))).isEmpty();
	}

	/** Each of thousands of summaries is compared with few others. */
	@Test
	void contextViewOfThousandsOfSummariesIsComputed() {
		SessionKey key = newSession();
		List<NewEvent> events = IntStream.range(0, 4000)
			.mapToObj((number) -> Events.event(
					(number % 2 == 0) ? "{\"id\":\"e%d\",\"author\":\"a\",\"timestamp\":%d}".formatted(number, number)
							: """
									{"id":"e%d","author":"user","timestamp":9e8,"actions":{"compaction":
									{"startTimestamp":%d,"endTimestamp":%d,"compactedContent":{"role":"model","parts":[]}}}}"""
								.formatted(number, number - 1, number)))
			.toList();
		for (int from = 0; from < 4000; from += 500) {
			this.store.appendAll(key, events.subList(from, from + 500), Precondition.NONE);
		}
		BitSet summaries = new BitSet();
		IntStream.rangeClosed(1, 2000).forEach((number) -> summaries.set(2 * number));
		assertThat(left(this.views, key, 4000)).isEqualTo(summaries);
	}

	private ContextViews fresh() {
		return this.beans.getAutowireCapableBeanFactory().createBean(ContextViews.class);
	}

	private BitSet left(ContextViews from, SessionKey key, int seq) {
		return from.visible(birth(key), seq);
	}

	private UUID birth(SessionKey key) {
		return this.store.find(key, EventWindow.NONE).orElseThrow().birth();
	}

	private static List<NewEvent> events(long seed) {
		return RandomHistories.of(seed, 40).stream().map(Events::event).toList();
	}

}
