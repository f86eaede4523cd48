package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/** Listing sessions: the order and the pages. */
public interface ListContract extends StoreUnderTest {

	/** Matches every session. */
	Filter EVERY = new Filter(null, Map.of(), true);

	@Test
	default void listsTheLastUpdatedLast() {
		SessionName name = threeSessions();
		store(Sessions.sibling(name, "s2"), Events.id("e1"));
		assertThat(ids(query(name, false, 10))).containsExactly("s1", "s3", "s2");
		assertThat(ids(query(name, true, 10))).containsExactly("s2", "s3", "s1");
	}

	@Test
	default void listsOneUserOnly() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.ofUser(name, "bob")));
		assertThat(store().list(query(name, false, 10)).items()).extracting(Session::name).containsExactly(name);
	}

	@ParameterizedTest
	@EnumSource
	default void listsOneUserOnlyWhateverThePlaceSays(Order order) {
		SessionName name = newSession();
		List<String> others = List.of("0", "alicf", "bob", "zoe");
		others.forEach((user) -> store().create(Sessions.empty(Sessions.ofUser(name, user))));
		for (boolean newestFirst : new boolean[] { true, false }) {
			SessionQuery query = SessionQuery.of(name.user(), order, newestFirst, 10, EVERY, true);
			Instant time = Instant.parse(newestFirst ? "9999-01-01T00:00:00Z" : "0001-01-01T00:00:00Z");
			for (String user : others) {
				assertThat(store().list(query.after(new Position(user, time, "s"))).items()).extracting(Session::name)
					.containsExactly(name);
			}
		}
	}

	@Test
	default void listsAllUsersOfAnAppOneAfterTheOther() {
		SessionName name = newSession();
		List<String> users = List.of("\ud83d\ude00", "\uffee", "Bob", "\u00c4nne", "bob");
		for (String id : List.of("s1", "s2")) {
			users.forEach((user) -> store().create(Sessions.empty(Sessions.ofUser(Sessions.sibling(name, id), user))));
		}
		newSession();
		List<SessionName> listed = keysOfAllUsers(name.appName(), false);
		assertThat(listed).hasSize(11).doesNotHaveDuplicates().contains(name);
		users.forEach(
				(user) -> assertThat(listed).containsSubsequence(Sessions.ofUser(Sessions.sibling(name, "s1"), user),
						Sessions.ofUser(Sessions.sibling(name, "s2"), user)));
		assertThat(runsOfOneUser(listed)).isEqualTo(6);
		List<SessionName> reversed = new ArrayList<>(listed);
		Collections.reverse(reversed);
		assertThat(keysOfAllUsers(name.appName(), true)).isEqualTo(reversed);
	}

	private List<SessionName> keysOfAllUsers(String appName, boolean newestFirst) {
		SessionQuery all = SessionQuery.of(new StateOwner(appName, null), Order.USER, newestFirst, 2, EVERY, true);
		return pages(all).stream().flatMap(List::stream).map(Session::name).toList();
	}

	private static long runsOfOneUser(List<SessionName> keys) {
		return IntStream.range(0, keys.size())
			.filter((place) -> place == 0 || !keys.get(place).userId().equals(keys.get(place - 1).userId()))
			.count();
	}

	@ParameterizedTest
	@CsvSource({ "USER, false, s1 s3 s4 s2", "CREATE_TIME, false, s1 s2 s3 s4", "CREATE_TIME, true, s4 s3 s2 s1",
			"UPDATE_TIME, true, s2 s4 s3 s1" })
	default void listsOneUserInTheOrderThatIsAskedFor(Order order, boolean newestFirst, String expected) {
		SessionName name = threeSessions();
		store().create(Sessions.empty(Sessions.sibling(name, "s4")));
		store(Sessions.sibling(name, "s2"), Events.id("e1"));
		SessionQuery query = SessionQuery.of(name.user(), order, newestFirst, 2, EVERY, true);
		assertThat(pagesOfIds(query).stream().flatMap(List::stream)).containsExactly(expected.split(" "));
	}

	@ParameterizedTest
	@CsvSource({ "CREATE_TIME, false, s1 s2 s3 s4 s5", "CREATE_TIME, true, s5 s4 s3 s2 s1",
			"UPDATE_TIME, false, s1 s3 s4 s5 s2", "UPDATE_TIME, true, s2 s5 s4 s3 s1" })
	default void listsAllUsersByTimeIfThatIsAskedFor(Order order, boolean newestFirst, String expected) {
		SessionName name = newSession();
		SessionName second = Sessions.ofUser(Sessions.sibling(name, "s2"), "bob");
		store().create(Sessions.empty(second));
		store().create(Sessions.empty(Sessions.sibling(name, "s3")));
		store().create(Sessions.empty(Sessions.ofUser(Sessions.sibling(name, "s4"), "carol")));
		store().create(Sessions.empty(Sessions.ofUser(Sessions.sibling(name, "s5"), "bob")));
		store(second, Events.id("e1"));
		SessionQuery query = SessionQuery.of(name.app(), order, newestFirst, 2, EVERY, true);
		assertThat(pagesOfIds(query).stream().flatMap(List::stream)).containsExactly(expected.split(" "));
	}

	@Test
	default void listsPageAfterPage() {
		SessionName name = threeSessions();
		store().create(Sessions.empty(Sessions.sibling(name, "s4")));
		store().create(Sessions.empty(Sessions.sibling(name, "s5")));
		assertThat(pagesOfIds(query(name, false, 2))).containsExactly(List.of("s1", "s2"), List.of("s3", "s4"),
				List.of("s5"));
		assertThat(pagesOfIds(query(name, true, 2))).containsExactly(List.of("s5", "s4"), List.of("s3", "s2"),
				List.of("s1"));
	}

	@Test
	default void endsWithAFullPageIfNothingFollows() {
		SessionName name = threeSessions();
		assertThat(store().list(query(name, false, 3)).more()).isFalse();
		assertThat(store().list(query(name, false, 2)).more()).isTrue();
	}

	@Test
	default void goesOnBehindASessionThatIsGone() {
		SessionName name = threeSessions();
		SessionQuery twoAPage = query(name, false, 2);
		Page<Session> first = store().list(twoAPage);
		store().delete(first.last().name(), Precondition.NONE);
		assertThat(ids(twoAPage.after(twoAPage.position(first.last())))).containsExactly("s3");
	}

	@Test
	default void listsStateOfEachSession() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1,\"user:b\":2,\"app:c\":3}"));
		store().create(Sessions.with(Sessions.sibling(name, "s2"), "{\"a\":4}"));
		assertThat(store().list(query(name, false, 10)).items()).extracting(Session::state)
			.containsExactly(Sessions.state("{\"a\":1,\"user:b\":2,\"app:c\":3}"),
					Sessions.state("{\"a\":4,\"user:b\":2,\"app:c\":3}"));
	}

	@Test
	default void leavesStateOutOnDemand() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.with(name, "{\"a\":1}"));
		SessionQuery withoutState = SessionQuery.of(name.user(), Order.USER, false, 10, EVERY, false);
		assertThat(store().list(withoutState).items()).extracting(Session::state).containsExactly(Map.of());
	}

	@Test
	default void listsWhatIsReadButForTheEvents() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.called(name, "Holiday", Map.of("topic", "travel")));
		store(name, Events.delta("{\"a\":1}"));
		Session found = store().find(name, EventWindow.NONE).orElseThrow();
		assertThat(store().list(query(name, false, 10)).items()).usingRecursiveFieldByFieldElementComparator()
			.containsExactly(found);
	}

	@Test
	default void listsNothingOfUnknownAppsAndUsers() {
		SessionName name = newSession();
		assertThat(store().list(query(Sessions.newKey(), false, 10))).isEqualTo(new Page<>(List.of(), false));
		assertThat(store().list(query(Sessions.ofUser(name, "bob"), false, 10)))
			.isEqualTo(new Page<>(List.of(), false));
	}

	private SessionName threeSessions() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.sibling(name, "s2")));
		store().create(Sessions.empty(Sessions.sibling(name, "s3")));
		return name;
	}

	private List<String> ids(SessionQuery query) {
		return ids(store().list(query).items());
	}

	private List<List<String>> pagesOfIds(SessionQuery query) {
		return pages(query).stream().map(ListContract::ids).toList();
	}

	private List<List<Session>> pages(SessionQuery query) {
		List<List<Session>> pages = new ArrayList<>();
		@Nullable SessionQuery next = query;
		while (next != null) {
			Page<Session> page = store().list(next);
			pages.add(page.items());
			next = page.more() ? query.after(query.position(page.last())) : null;
		}
		return pages;
	}

	private static List<String> ids(List<Session> sessions) {
		return sessions.stream().map((session) -> session.name().sessionId()).toList();
	}

	private static SessionQuery query(SessionName name, boolean newestFirst, int limit) {
		return SessionQuery.of(name.user(), Order.USER, newestFirst, limit, EVERY, true);
	}

}
