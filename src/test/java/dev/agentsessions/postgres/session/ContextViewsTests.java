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
import dev.agentsessions.session.SessionName;
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
			SessionName name = newSession();
			List<BitSet> remembered = new ArrayList<>();
			for (NewEvent event : events(seed)) {
				store(name, event);
				remembered.add(left(this.views, name, remembered.size() + 1));
				assertThat(left(fresh(), name, remembered.size())).as("seed %d, event %d", seed, remembered.size())
					.isEqualTo(remembered.get(remembered.size() - 1));
			}
			for (int seq = 1; seq <= remembered.size(); seq++) {
				assertThat(left(this.views, name, seq)).as("seed %d, as of %d", seed, seq)
					.isEqualTo(remembered.get(seq - 1));
			}
		}
	}

	/** Only the events that rewind or compact are given a kind by the migration. */
	@Test
	void contextViewOfEventsWithoutKindIsEqual() {
		for (long seed = 220; seed < 232; seed++) {
			SessionName name = newSession();
			List<NewEvent> events = events(seed);
			this.store.appendAll(name, events, Precondition.NONE);
			BitSet left = left(this.views, name, events.size());
			this.jdbc.update("update events set kind = case when kind & 12 <> 0 then 4095 end where session_key = ?",
					sessionKey(name));
			assertThat(left(fresh(), name, events.size())).as("seed %d", seed).isEqualTo(left);
		}
	}

	@Test
	void unchangedContextViewUsesNoStatement() {
		SessionName name = newSession();
		this.store.appendAll(name, events(240), Precondition.NONE);
		int size = (int) this.store.find(name, EventWindow.NONE).orElseThrow().revision();
		left(this.views, name, size);
		UUID sessionKey = sessionKey(name);
		assertThat(StatementRecorder.record(() -> fresh().visible(sessionKey, size))).isNotEmpty();
		assertThat(StatementRecorder.record(() -> this.views.visible(sessionKey, size))).isEmpty();
	}

	/** Each of thousands of summaries is compared with few others. */
	@Test
	void contextViewOfThousandsOfSummariesIsComputed() {
		SessionName name = newSession();
		List<NewEvent> events = IntStream.range(0, 4000)
			.mapToObj((number) -> Events.event(
					(number % 2 == 0) ? "{\"id\":\"e%d\",\"author\":\"a\",\"timestamp\":%d}".formatted(number, number)
							: """
									{"id":"e%d","author":"user","timestamp":9e8,"actions":{"compaction":
									{"startTimestamp":%d,"endTimestamp":%d,"compactedContent":{"role":"model","parts":[]}}}}"""
								.formatted(number, number - 1, number)))
			.toList();
		for (int from = 0; from < 4000; from += 500) {
			this.store.appendAll(name, events.subList(from, from + 500), Precondition.NONE);
		}
		BitSet summaries = new BitSet();
		IntStream.rangeClosed(1, 2000).forEach((number) -> summaries.set(2 * number));
		assertThat(left(this.views, name, 4000)).isEqualTo(summaries);
	}

	private ContextViews fresh() {
		return this.beans.getAutowireCapableBeanFactory().createBean(ContextViews.class);
	}

	private BitSet left(ContextViews from, SessionName name, int seq) {
		return from.visible(sessionKey(name), seq);
	}

	private UUID sessionKey(SessionName name) {
		return this.store.find(name, EventWindow.NONE).orElseThrow().sessionKey();
	}

	private static List<NewEvent> events(long seed) {
		return RandomHistories.of(seed, 40).stream().map(Events::event).toList();
	}

}
