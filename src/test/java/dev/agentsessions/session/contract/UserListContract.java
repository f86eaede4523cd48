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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.lifecycle.UserQuery;
import dev.agentsessions.session.lifecycle.UserQuery.UserSummary;

/** Listing the users of an app. */
interface UserListContract extends StoreUnderTest {

	@Test
	default void listsUsersWithTheirNewestUpdateAndHowManySessionsTheyHave() {
		SessionKey key = newSession();
		SessionKey second = store().create(Sessions.empty(Sessions.sibling(key, "s2"))).key();
		SessionKey bobs = store().create(Sessions.empty(Sessions.ofUser(key, "bob"))).key();
		newSession();
		store(key, Events.id("e1"));
		assertThat(users(key, 10)).containsExactlyInAnyOrder(
				new UserSummary(key.userId(), read(key).lastUpdateTime(), 2, false),
				new UserSummary("bob", read(bobs).lastUpdateTime(), 1, false));
		store().delete(key, Precondition.NONE);
		assertThat(users(key, 10)).contains(new UserSummary(key.userId(), read(second).lastUpdateTime(), 1, false));
		store().delete(second, Precondition.NONE);
		assertThat(users(key, 10)).extracting(UserSummary::userId).containsExactly("bob");
	}

	@Test
	default void listsNoUserOfAnUnknownApp() {
		assertThat(store().users(new UserQuery(new StateOwner(Sessions.newApp(), null), null, 10)))
			.isEqualTo(new Page<>(List.of(), false));
	}

	@Test
	default void countsNoSessionThatHasExpired() {
		SessionKey key = newSession();
		SessionKey gone = store().create(Sessions.until(Sessions.sibling(key, "gone"), Instant.EPOCH)).key();
		store().create(Sessions.until(Sessions.ofUser(key, "bob"), Instant.EPOCH));
		store().create(Sessions.until(Sessions.ofUser(gone, "carol"), ExpiryContract.LATER));
		assertThat(users(key, 1)).extracting(UserSummary::userId, UserSummary::sessions)
			.containsExactlyInAnyOrder(tuple(key.userId(), 1), tuple("carol", 1));
		assertThat(users(key, 10)).filteredOn((user) -> user.userId().equals(key.userId()))
			.extracting(UserSummary::lastUpdateTime)
			.containsExactly(read(key).lastUpdateTime());
	}

	@Test
	default void listsEachUserOnceWhateverTheyAreCalled() {
		SessionKey key = newSession();
		List<String> names = new ArrayList<>(
				List.of("Alice", "alice ", "\ud83d\ude00", "\uffee", "users/1", "\\;%", "'; drop table sessions; --",
						"\u202Ebob", "\u00e9", "e\u0301", "null", "0", Sessions.longName(), Sessions.longName()));
		names.forEach((name) -> store().create(Sessions.empty(Sessions.ofUser(key, name))));
		names.add(key.userId());
		List<UserSummary> all = users(key, 100);
		assertThat(all).extracting(UserSummary::userId).containsExactlyInAnyOrderElementsOf(names);
		for (int limit = 1; limit < 5; limit++) {
			assertThat(users(key, limit)).isEqualTo(all);
		}
	}

	@Test
	default void endsWithAFullPageOfUsersIfNobodyFollows() {
		SessionKey key = newSession();
		store().create(Sessions.empty(Sessions.ofUser(key, "bob")));
		assertThat(store().users(new UserQuery(key.app(), null, 2)).more()).isFalse();
		assertThat(store().users(new UserQuery(key.app(), null, 1)).more()).isTrue();
	}

	@Test
	default void goesOnBehindAUserWhoIsGone() {
		SessionKey key = newSession();
		List.of("bob", "carol", "dave").forEach((name) -> store().create(Sessions.empty(Sessions.ofUser(key, name))));
		UserQuery query = new UserQuery(key.app(), null, 2);
		List<String> rest = users(key, 10).stream().skip(2).map(UserSummary::userId).toList();
		String last = store().users(query).last().userId();
		store().erase(new StateOwner(key.appName(), last));
		assertThat(store().users(query.after(last)).items()).extracting(UserSummary::userId)
			.containsExactlyElementsOf(rest);
	}

	/** All users of the app of a session, page by page. */
	private List<UserSummary> users(SessionKey key, int limit) {
		List<UserSummary> users = new ArrayList<>();
		@Nullable UserQuery next = new UserQuery(key.app(), null, limit);
		while (next != null) {
			Page<UserSummary> page = store().users(next);
			assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
			users.addAll(page.items());
			next = page.more() ? next.after(page.last().userId()) : null;
		}
		return users;
	}

}
