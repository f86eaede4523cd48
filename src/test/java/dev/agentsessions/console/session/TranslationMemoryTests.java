package dev.agentsessions.console.session;

import java.util.HashMap;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.agentsessions.console.session.EventViews.EventView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.support.LargeEvents;

/** An event on a page needs no more memory than the dialect says. */
class TranslationMemoryTests {

	@Test
	void isWhatTheDialectSays() {
		EventViews views = new EventViews(new SessionName("app", "user", "session"), new Links(""),
				new ReadingMode(null, null), Set.of());
		LargeEvents.assertAllocatesAtMost(EventViews.COST, (event) -> EventView.of(event, views, new HashMap<>()));
	}

}
