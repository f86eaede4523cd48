package dev.agentsessions.session.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow.HistoryView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.event.EventService.EventPageReader;
import dev.agentsessions.session.heap.ResponseHeap;

/** What goes together on a page. */
class EventPageReaderTests {

	private static final EventQuery QUERY = EventQuery.of(false, 1000);

	private static final UnaryOperator<Event> SMALLER = (event) -> new Event(event.seq(), event.commitTime(),
			event.id(), new JsonText(event.body().text().substring(1000)));

	private final UUID sessionKey = UUID.randomUUID();

	private final List<EventQuery> asked = new ArrayList<>();

	@Test
	void goesOnUntilThePageIsFullInItsNewForm() {
		EventPage page = read(new JsonText("x".repeat(2_001_000)), SMALLER, QUERY);
		assertThat(page.items()).hasSize(3).extracting(Event::seq).containsExactly(1L, 2L, 3L);
		assertThat(page.more()).isTrue();
		assertThat(this.asked).extracting(EventQuery::limit).containsExactly(1000, 999, 998);
		assertThat(this.asked.get(2).sessionKey()).isEqualTo(this.sessionKey);
	}

	@Test
	void endsWhenMuchWasRead() {
		EventPage page = read(new JsonText("x".repeat(20_000_000)),
				(event) -> new Event(event.seq(), event.commitTime(), event.id(), new JsonText("{}")), QUERY);
		assertThat(page.items()).hasSize(14);
		assertThat(page.more()).isTrue();
	}

	@Test
	void endsWithTheLimit() {
		EventQuery query = EventQuery.of(false, 2);
		assertThat(read(new JsonText("x".repeat(1001)), SMALLER, query).items()).hasSize(2);
		assertThat(this.asked).hasSize(2);
	}

	@Test
	void readsWhatAModelSeesAtOnce() {
		assertThat(read(new JsonText("x".repeat(1001)), SMALLER, QUERY.withView(HistoryView.CONTEXT)).items())
			.hasSize(1);
	}

	/** Reads of events that are one like the other, and never end, one by one. */
	private EventPage read(JsonText body, UnaryOperator<Event> form, EventQuery query) {
		return new EventPageReader((part) -> {
			this.asked.add(part);
			Event event = new Event(part.afterSeq() + 1, Instant.EPOCH, "e", body);
			return new EventPage(this.sessionKey, new Page<>(List.of(event), true));
		}, form, new ResponseHeap()).read(query);
	}

}
