package dev.agentsessions.postgres.servers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.Page;

/**
 * Asks all servers, and merges what they answer. Each answer counts for the users that
 * the server has: after a move, the old server has their rows for a moment, too, and
 * longer if the move has ended early.
 */
@Component
@OnSeveralServers
class MergedAnswers {

	private final Servers servers;

	private final Buckets buckets;

	MergedAnswers(Servers servers, Buckets buckets) {
		this.servers = servers;
		this.buckets = buckets;
	}

	/**
	 * Returns the items of all servers.
	 * @param key the key of the user or the scope of facts that an item belongs to
	 */
	<S, T> Stream<T> all(Class<S> port, Function<S, List<T>> question, Function<T, UUID> key) {
		return this.servers.all()
			.stream()
			.flatMap((server) -> question.apply(server.store(port))
				.stream()
				.filter((item) -> this.buckets.of(key.apply(item)) == server));
	}

	/**
	 * Asks each server for the same page, and returns that page of all items.
	 * @param key the key of the user or the scope of facts that an item belongs to
	 */
	<S, T> Page<T> page(Class<S> port, Function<S, Page<T>> question, Function<T, UUID> key, Comparator<T> order,
			int limit) {
		List<Page<Answer<T>>> pages = this.servers.all()
			.stream()
			.map((server) -> question.apply(server.store(port)).map((item) -> new Answer<>(server, item)))
			.toList();
		return merge(pages, (answer) -> this.buckets.of(key.apply(answer.item())) == answer.server(),
				Comparator.comparing(Answer::item, order), limit)
			.map(Answer::item);
	}

	/**
	 * Merges the same page of several servers. What follows the last item of a page that
	 * has more is not known, so the merged page ends there at the latest. A page on which
	 * nothing counts, and that has more, has all items: the next page follows the last of
	 * them.
	 */
	static <T> Page<T> merge(List<Page<T>> pages, Predicate<T> counts, Comparator<T> order, int limit) {
		Optional<T> end = pages.stream().filter(Page::more).map(Page::last).min(order);
		List<T> found = pages.stream()
			.map(Page::items)
			.flatMap(List::stream)
			.filter((item) -> end.isEmpty() || order.compare(item, end.get()) <= 0)
			.sorted(order)
			.toList();
		List<T> counted = found.stream().filter(counts).toList();
		List<T> items = (counted.isEmpty() && end.isPresent()) ? found : counted;
		return (items.size() > limit) ? new Page<>(items.subList(0, limit), true) : new Page<>(items, end.isPresent());
	}

	/**
	 * An item of the answer of a server.
	 */
	private record Answer<T>(Server server, T item) {
	}

}
