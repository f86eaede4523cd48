package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;

/** Listing the users of an app. */
interface UserListContract extends StoreUnderTest {

	@Test
	default void listsUsersWithTheirNewestUpdateAndHowManySessionsTheyHave() {
		SessionName name = newSession();
		SessionName second = store().create(Sessions.empty(Sessions.sibling(name, "s2"))).name();
		SessionName bobs = store().create(Sessions.empty(Sessions.ofUser(name, "bob"))).name();
		newSession();
		store(name, Events.id("e1"));
		assertThat(users(name, 10)).containsExactlyInAnyOrder(
				new UserSummary(name.userId(), read(name).lastUpdateTime(), 2, false),
				new UserSummary("bob", read(bobs).lastUpdateTime(), 1, false));
		store().delete(name, Precondition.NONE);
		assertThat(users(name, 10)).contains(new UserSummary(name.userId(), read(second).lastUpdateTime(), 1, false));
		store().delete(second, Precondition.NONE);
		assertThat(users(name, 10)).extracting(UserSummary::userId).containsExactly("bob");
	}

	@Test
	default void listsNoUserOfAnUnknownApp() {
		assertThat(store().users(new UserQuery(new StateOwner(Sessions.newApp(), null), null, 10)))
			.isEqualTo(new Page<>(List.of(), false));
	}

	@Test
	default void countsNoSessionThatHasExpired() {
		SessionName name = newSession();
		SessionName gone = store().create(Sessions.until(Sessions.sibling(name, "gone"), Instant.EPOCH)).name();
		store().create(Sessions.until(Sessions.ofUser(name, "bob"), Instant.EPOCH));
		store().create(Sessions.until(Sessions.ofUser(gone, "carol"), ExpiryContract.LATER));
		assertThat(users(name, 1)).extracting(UserSummary::userId, UserSummary::sessions)
			.containsExactlyInAnyOrder(tuple(name.userId(), 1), tuple("carol", 1));
		assertThat(users(name, 10)).filteredOn((user) -> user.userId().equals(name.userId()))
			.extracting(UserSummary::lastUpdateTime)
			.containsExactly(read(name).lastUpdateTime());
	}

	@Test
	default void listsEachUserOnceWhateverTheyAreCalled() {
		SessionName session = newSession();
		List<String> names = new ArrayList<>(
				List.of("Alice", "alice ", "\ud83d\ude00", "\uffee", "users/1", "\\;%", "'; drop table sessions; --",
						"\u202Ebob", "\u00e9", "e\u0301", "null", "0", Sessions.longName(), Sessions.longName()));
		names.forEach((name) -> store().create(Sessions.empty(Sessions.ofUser(session, name))));
		names.add(session.userId());
		List<UserSummary> all = users(session, 100);
		assertThat(all).extracting(UserSummary::userId).containsExactlyInAnyOrderElementsOf(names);
		for (int limit = 1; limit < 5; limit++) {
			assertThat(users(session, limit)).isEqualTo(all);
		}
	}

	@Test
	default void endsWithAFullPageOfUsersIfNobodyFollows() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.ofUser(name, "bob")));
		assertThat(store().users(new UserQuery(name.app(), null, 2)).more()).isFalse();
		assertThat(store().users(new UserQuery(name.app(), null, 1)).more()).isTrue();
	}

	@Test
	default void goesOnBehindAUserWhoIsGone() {
		SessionName session = newSession();
		List.of("bob", "carol", "dave")
			.forEach((name) -> store().create(Sessions.empty(Sessions.ofUser(session, name))));
		UserQuery query = new UserQuery(session.app(), null, 2);
		List<String> rest = users(session, 10).stream().skip(2).map(UserSummary::userId).toList();
		String last = store().users(query).last().userId();
		store().erase(new StateOwner(session.appName(), last));
		assertThat(store().users(query.after(last)).items()).extracting(UserSummary::userId)
			.containsExactlyElementsOf(rest);
	}

	/** All users of the app of a session, page by page. */
	private List<UserSummary> users(SessionName name, int limit) {
		List<UserSummary> users = new ArrayList<>();
		@Nullable UserQuery next = new UserQuery(name.app(), null, limit);
		while (next != null) {
			Page<UserSummary> page = store().users(next);
			assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
			users.addAll(page.items());
			next = page.more() ? next.after(page.last().userId()) : null;
		}
		return users;
	}

}
