package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
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
	 * Asks each server for the same page, and returns that page of all items. If none of
	 * them counts, and more follow, it asks for what follows them.
	 * @param question asks a server for the page after an item, {@code null} for the page
	 * of the query
	 * @param key the key of the user or the scope of facts that an item belongs to
	 */
	<S, T> Page<T> page(Class<S> port, BiFunction<S, @Nullable T, Page<T>> question, Function<T, UUID> key,
			Comparator<T> order, int limit) {
		Comparator<Answer<T>> byItem = Comparator.comparing(Answer::item, order);
		Predicate<Answer<T>> counts = (answer) -> this.buckets.of(key.apply(answer.item())) == answer.server();
		@Nullable T after = null;
		while (true) {
			List<Page<Answer<T>>> pages = new ArrayList<>();
			for (Server server : this.servers.all()) {
				pages.add(question.apply(server.store(port), after).map((item) -> new Answer<>(server, item)));
			}
			Page<Answer<T>> merged = merge(pages, counts, byItem, limit);
			if (!merged.items().isEmpty() || !merged.more()) {
				return merged.map(Answer::item);
			}
			after = end(pages, byItem).orElseThrow().item();
		}
	}

	/** What follows the last item of a page that has more is not known. */
	private static <T> Optional<T> end(List<Page<T>> pages, Comparator<T> order) {
		return pages.stream().filter(Page::more).map(Page::last).min(order);
	}

	/** Merges the same page of several servers, up to where all of them are known. */
	static <T> Page<T> merge(List<Page<T>> pages, Predicate<T> counts, Comparator<T> order, int limit) {
		Optional<T> end = end(pages, order);
		List<T> items = pages.stream()
			.map(Page::items)
			.flatMap(List::stream)
			.filter((item) -> end.isEmpty() || order.compare(item, end.get()) <= 0)
			.filter(counts)
			.sorted(order)
			.toList();
		return (items.size() > limit) ? new Page<>(items.subList(0, limit), true) : new Page<>(items, end.isPresent());
	}

	/**
	 * An item of the answer of a server.
	 */
	private record Answer<T>(Server server, T item) {
	}

}
