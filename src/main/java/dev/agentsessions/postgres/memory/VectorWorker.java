package dev.agentsessions.postgres.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.postgres.memory.VectorStatements.TurnVector;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.Embedder.EmbeddingException;
import dev.agentsessions.search.Embedder.Vector;
import dev.agentsessions.search.SearchQuery.Filter;
import dev.agentsessions.search.SearchService.FoundTurns.FoundTurn;
import dev.agentsessions.search.SearchService.SearchProperties;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.StateOwner;

/**
 * Makes vectors on a thread of its own, for one user after the other. Users that are lost
 * with the queue come again with their next search. Two replicas may do the same work,
 * and the second one stores nothing.
 */
@Component
class VectorWorker implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(VectorWorker.class);

	/** Further users are left to their next search. */
	private static final int MAX_USERS = 10_000;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** The end of the service waits for the thread at most this long. */
	private static final Duration MAX_WAIT = Duration.ofSeconds(5);

	private final @Nullable Embedder embedder;

	private final VectorFiller filler;

	private final BlockingQueue<StateOwner> queue = new ArrayBlockingQueue<>(MAX_USERS);

	private final Set<StateOwner> queued = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Thread thread;

	private Duration pause = FIRST_PAUSE;

	VectorWorker(ObjectProvider<Embedder> embedder, VectorFiller filler) {
		this.embedder = embedder.getIfAvailable();
		this.filler = filler;
	}

	/** Asks for vectors of the turns of a user. */
	void offer(StateOwner user) {
		if (this.queued.add(user) && !this.queue.offer(user)) {
			this.queued.remove(user);
		}
	}

	@Override
	public boolean isAutoStartup() {
		return this.embedder != null;
	}

	@Override
	public void start() {
		Embedder model = this.embedder;
		if (model != null) {
			Thread started = new Thread(() -> work(model), "vectors");
			started.setDaemon(true);
			this.thread = started;
			started.start();
		}
	}

	private void work(Embedder model) {
		try {
			while (!Thread.currentThread().isInterrupted()) {
				StateOwner user = this.queue.take();
				this.queued.remove(user);
				if (fillNext(user, model)) {
					offer(user);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Pauses after a failure, each time for twice as long.
	 * @return whether the user needs further vectors
	 */
	private boolean fillNext(StateOwner user, Embedder model) throws InterruptedException {
		try {
			boolean more = this.filler.fillNext(user, model);
			this.pause = FIRST_PAUSE;
			return more;
		}
		catch (RuntimeException | Error ex) {
			if (!Thread.currentThread().isInterrupted()) {
				logger.warn("Vectors for the search are missing, and the next try is in {} ms: {}",
						this.pause.toMillis(), reason(ex));
			}
			Thread.sleep(this.pause.toMillis());
			Duration twice = this.pause.multipliedBy(2);
			this.pause = (twice.compareTo(LONGEST_PAUSE) < 0) ? twice : LONGEST_PAUSE;
			return true;
		}
	}

	/** Other messages may contain texts of users. */
	private static String reason(Throwable failure) {
		return (failure instanceof EmbeddingException) ? String.valueOf(failure.getMessage())
				: failure.getClass().getSimpleName();
	}

	@Override
	public void stop() {
		Thread stopped = this.thread;
		if (stopped != null) {
			stopped.interrupt();
			try {
				stopped.join(MAX_WAIT.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public boolean isRunning() {
		Thread started = this.thread;
		return started != null && started.isAlive();
	}

	/** Makes vectors of turns that have none. */
	@Component
	static class VectorFiller {

		/** Maximum number of texts in a request to the model. */
		static final int MAX_BATCH_TURNS = 64;

		private final UserSessions sessions;

		private final VectorStatements vectors;

		private final TurnReader reader;

		private final SearchProperties properties;

		VectorFiller(UserSessions sessions, VectorStatements vectors, TurnReader reader, SearchProperties properties) {
			this.sessions = sessions;
			this.vectors = vectors;
			this.reader = reader;
			this.properties = properties;
		}

		/**
		 * Makes vectors of the newest turns of a user that have none. It has no
		 * connection to the database while the model works.
		 * @return whether there may be further ones
		 * @throws EmbeddingException if the vectors cannot be had now
		 */
		boolean fillNext(StateOwner user, Embedder embedder) {
			UUID userKey = ScopeKey.of(user);
			List<RankedTurn> missing = this.vectors.missing(userKey, searched(user), embedder.model(), MAX_BATCH_TURNS);
			TurnReader.Turns read = this.reader.read(userKey, missing, 0);
			List<Turn> turns = read.found().stream().map(FoundTurn::turn).toList();
			if (turns.isEmpty()) {
				return false;
			}
			List<Vector> made = embedder.texts(turns.stream().map((turn) -> turn.said().text()).toList());
			bySession(turns, made)
				.forEach((session, vectors) -> this.vectors.insert(userKey, session, embedder.model(), vectors));
			return missing.size() == MAX_BATCH_TURNS || read.ranked() < missing.size();
		}

		/** Returns the turns that a search without a filter looks at. */
		private SearchedTurns searched(StateOwner user) {
			int maxTurns = this.properties.maxTurns();
			return SearchedTurns.of(this.sessions.of(user, Filter.ALL, maxTurns).sessions(), maxTurns);
		}

		private static Map<UUID, List<TurnVector>> bySession(List<Turn> turns, List<Vector> vectors) {
			Map<UUID, List<TurnVector>> bySession = new LinkedHashMap<>();
			for (int i = 0; i < turns.size(); i++) {
				TurnId id = TurnId.parse(turns.get(i).id()).orElseThrow();
				bySession.computeIfAbsent(id.sessionKey(), (key) -> new ArrayList<>())
					.add(new TurnVector(id.seq(), vectors.get(i)));
			}
			return bySession;
		}

	}

}
