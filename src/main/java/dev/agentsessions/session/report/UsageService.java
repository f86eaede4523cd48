package dev.agentsessions.session.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.report.Usage.ModelUsage;
import dev.agentsessions.session.report.Usage.PriceProperties;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageQuery.Grouping;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageReport.TimedTurn;
import dev.agentsessions.session.report.UsageReport.UsageRow;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/** Adds up what sessions have spent. */
@Service
public class UsageService {

	private final Store store;

	private final PriceProperties prices;

	private final AccessPolicy access;

	UsageService(Store store, PriceProperties prices, AccessPolicy access) {
		this.store = store;
		this.prices = prices;
		this.access = access;
	}

	/**
	 * Adds up the events of a session, of a user, or of an app, a bounded number for each
	 * call. Only administrators may do so for an app.
	 * @throws SessionException.NotFound if the query names a session that does not exist
	 */
	public UsageReport report(UsageQuery query) {
		return report(query, Long.MAX_VALUE);
	}

	/**
	 * Adds up no more events than a caller needs.
	 * @param maxEvents after this number, only the events of the same statement are added
	 * @throws SessionException.NotFound if the query names a session that does not exist
	 */
	public UsageReport report(UsageQuery query, long maxEvents) {
		check(query);
		UsageCollector collector = new UsageCollector(query.by(), query.timed());
		Secrets secrets = this.access.secrets();
		Store.End end = this.store
			.read(query, () -> collector.isFull() || collector.events() >= maxEvents,
					(event) -> collector.add(event.seen(secrets)))
			.orElseThrow(SessionException.NotFound::new);
		return collector.toReport(end, this.prices);
	}

	/**
	 * Adds up the tokens of the events directly before an event that belong to the same
	 * invocation.
	 * @param seq the seq of the event
	 * @param invocationId the invocation of the event
	 * @return the tokens; empty if there are too many events to read
	 */
	public Optional<Tokens> before(SessionName session, long seq, String invocationId) {
		this.access.check(Access.READ, session);
		UsageSum sum = new UsageSum(seq, Instant.EPOCH);
		boolean complete = this.store.readBefore(session, seq, invocationId, sum::add);
		return complete ? Optional.of(sum.tokens()) : Optional.empty();
	}

	private void check(UsageQuery query) {
		SessionName session = query.session();
		if (session != null) {
			this.access.check(Access.READ, session);
		}
		else {
			this.access.checkSessions(Access.READ, query.owner());
		}
	}

	/** Collects events, session by session, into the rows of a report. */
	static final class UsageCollector {

		/** No further events are read when there are this many rows. */
		static final int MAX_ROWS = 1000;

		/** No further events are read when the total has this many models. */
		static final int MAX_MODELS = 1000;

		/** No further events are read when all rows together have this many models. */
		static final int MAX_MODELS_OF_ROWS = 5000;

		/** A report names this number of turns that took longest. */
		static final int MAX_SLOWEST = 10;

		private static final Comparator<TimedTurn> FASTEST_FIRST = Comparator.comparing(TimedTurn::worked)
			.thenComparing(TimedTurn::first);

		private static final Comparator<UsageRow> MOST_TOKENS_FIRST = Comparator
			.comparing((UsageRow row) -> -row.usage().tokens().total())
			.thenComparing(UsageRow::name);

		private final Grouping by;

		private final UsageSum total = new UsageSum(0, Instant.EPOCH);

		private final UsageSum copied = new UsageSum(0, Instant.EPOCH);

		private final Map<String, UsageSum> rows = new LinkedHashMap<>();

		/** The turns of the session that is being read. */
		private final Map<String, Turn> turns = new HashMap<>();

		private final PriorityQueue<TimedTurn> slowest = new PriorityQueue<>(FASTEST_FIRST);

		private final @Nullable TimingCollector times;

		private @Nullable UUID session;

		UsageCollector(Grouping by, boolean timed) {
			this.by = by;
			this.times = timed ? new TimingCollector() : null;
		}

		boolean isFull() {
			return this.rows.size() >= MAX_ROWS || this.total.models() >= MAX_MODELS
					|| this.rows.values().stream().mapToInt(UsageSum::models).sum() >= MAX_MODELS_OF_ROWS;
		}

		long events() {
			return this.total.events;
		}

		void add(SpentEvent event) {
			if (!event.session().equals(this.session)) {
				endTurns();
				this.session = event.session();
			}
			List<UsageSum> sums = sumsOfTurn(event);
			sums.forEach((sum) -> sum.add(event));
			if (this.by == Grouping.MODEL && event.usage() != null) {
				row(event).add(event);
			}
			if (!event.invocationId().isEmpty()) {
				this.turns.compute(event.invocationId(),
						(id, turn) -> (turn != null) ? turn.with(event) : new Turn(sums, TimedTurn.of(event)));
			}
			if (this.times != null) {
				this.times.add(event);
			}
		}

		/** A turn counts where its first event counts. A turn is no part of a model. */
		private List<UsageSum> sumsOfTurn(SpentEvent event) {
			List<UsageSum> sums = new ArrayList<>(List.of(this.total));
			if (event.copied()) {
				sums.add(this.copied);
			}
			if (this.by != Grouping.MODEL) {
				sums.add(row(event));
			}
			return sums;
		}

		private UsageSum row(SpentEvent event) {
			return this.rows.computeIfAbsent(name(event), (name) -> new UsageSum(event.seq(), event.time()));
		}

		private String name(SpentEvent event) {
			return switch (this.by) {
				case TURN -> event.invocationId();
				case DAY -> event.time().atOffset(ZoneOffset.UTC).toLocalDate().toString();
				case USER -> event.userId();
				case MODEL -> Objects.toString(event.model(), "");
			};
		}

		private void endTurns() {
			this.turns.values().forEach((turn) -> {
				TimedTurn timed = turn.timed;
				turn.sums.forEach((sum) -> sum.addTurn(timed.duration(), timed.failed()));
				addToSlowest(timed);
			});
			this.turns.clear();
		}

		/** A turn of events that were stored together took no time that is known. */
		private void addToSlowest(TimedTurn turn) {
			if (!turn.worked().isZero()) {
				this.slowest.add(turn);
				if (this.slowest.size() > MAX_SLOWEST) {
					this.slowest.poll();
				}
			}
		}

		UsageReport toReport(Store.End end, PriceProperties prices) {
			endTurns();
			List<UsageRow> rows = this.rows.entrySet()
				.stream()
				.map((row) -> row.getValue().toRow(row.getKey(), prices))
				.sorted(order())
				.toList();
			return new UsageReport(this.total.toUsage(prices), this.copied.toUsage(prices), rows, end.sessions(),
					end.position(), prices.areKnown(), this.slowest.stream().sorted(FASTEST_FIRST.reversed()).toList(),
					(this.times != null) ? this.times.models() : List.of(),
					(this.times != null) ? this.times.tools() : List.of());
		}

		private Comparator<UsageRow> order() {
			return switch (this.by) {
				case TURN -> Comparator.comparingLong(UsageRow::seq);
				case DAY -> Comparator.comparing(UsageRow::name);
				case USER, MODEL -> MOST_TOKENS_FIRST;
			};
		}

		/**
		 * A turn of a session.
		 *
		 * @param sums where it counts
		 * @param timed its events
		 */
		private record Turn(List<UsageSum> sums, TimedTurn timed) {

			Turn with(SpentEvent event) {
				return new Turn(this.sums, this.timed.with(event));
			}

		}

	}

	/** Adds up events. */
	private static final class UsageSum {

		private final long seq;

		private final Instant start;

		private final Map<String, ModelUsage> models = new HashMap<>();

		private long events;

		private long sessions;

		private @Nullable UUID session;

		private long invalid;

		private long turns;

		private long failedTurns;

		private Duration duration = Duration.ZERO;

		UsageSum(long seq, Instant start) {
			this.seq = seq;
			this.start = start;
		}

		/** Events come session by session. */
		void add(SpentEvent event) {
			this.events++;
			this.sessions += event.session().equals(this.session) ? 0 : 1;
			this.session = event.session();
			UsageMetadata usage = event.usage();
			if (usage != null) {
				String model = event.model();
				this.models.merge(Objects.toString(model, ""), new ModelUsage(model, 1, usage.tokens(), null),
						ModelUsage::plus);
				this.invalid += usage.valid() ? 0 : 1;
			}
		}

		int models() {
			return this.models.size();
		}

		Tokens tokens() {
			return this.models.values().stream().map(ModelUsage::tokens).reduce(Tokens.NONE, Tokens::plus);
		}

		void addTurn(Duration duration, boolean failed) {
			this.turns++;
			this.failedTurns += failed ? 1 : 0;
			this.duration = this.duration.plus(duration);
		}

		Usage toUsage(PriceProperties prices) {
			List<ModelUsage> models = this.models.values()
				.stream()
				.map((model) -> model.priced(prices))
				.sorted(Comparator.comparing((ModelUsage model) -> -model.tokens().total())
					.thenComparing((model) -> Objects.toString(model.model(), "")))
				.toList();
			return new Usage(this.events, this.turns, this.failedTurns, this.duration, tokens(), this.invalid, models);
		}

		UsageRow toRow(String name, PriceProperties prices) {
			return new UsageRow(name, this.seq, this.start, this.sessions, toUsage(prices));
		}

	}

	/** Reads what the events of sessions have spent. */
	public interface Store {

		/**
		 * Reads events, a bounded number for each call. Sessions come in the order of
		 * their ids, and the events of a session by seq. Expired sessions are left out,
		 * as are events that a fork has copied, unless the query names the session.
		 * @param isFull whether the caller wants no further events
		 * @param events gets each event in the range of the query
		 * @return how far it has read; empty if the query names a session that does not
		 * exist
		 * @throws SessionException.Unavailable if this session is deleted meanwhile
		 */
		Optional<End> read(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events);

		/**
		 * Reads the events of a session that come directly before an event and belong to
		 * the same invocation, none if there are too many.
		 * @param seq the seq of the event
		 * @param invocationId the invocation of the event
		 * @return whether it has read all of them
		 * @throws SessionException.Unavailable if the session is deleted meanwhile
		 */
		boolean readBefore(SessionName session, long seq, String invocationId, Consumer<SpentEvent> events);

		/**
		 * How far a call has read.
		 *
		 * @param position the last event that was read; {@code null} if there are no more
		 * @param sessions the number of sessions that were looked at
		 */
		record End(@Nullable UsagePosition position, long sessions) {

		}

		/**
		 * What an event says about its cost.
		 *
		 * @param userId the user of its session
		 * @param sessionId the id of its session
		 * @param session the key of its session
		 * @param seq its seq
		 * @param copied whether a fork has copied it
		 * @param invocationId its invocation; blank for none
		 * @param time when it was stored
		 * @param model the model; {@code null} if the sender names none
		 * @param usage what the model has counted; {@code null} if the event has no
		 * counts
		 * @param failed whether it reports an error
		 * @param author its author
		 * @param branch its branch; blank for none, and if there are neither counts nor a
		 * body
		 * @param body its body; {@code null} if it has no function calls or responses, is
		 * large, or the query asks for no times
		 */
		record SpentEvent(String userId, String sessionId, UUID session, long seq, boolean copied, String invocationId,
				Instant time, @Nullable String model, @Nullable UsageMetadata usage, boolean failed, String author,
				String branch, @Nullable JsonText body) {

			SpentEvent seen(Secrets secrets) {
				return (secrets == Secrets.WHOLE) ? this
						: new SpentEvent(this.userId, this.sessionId, this.session, this.seq, this.copied,
								this.invocationId, this.time, secrets.ofNullable(this.model), this.usage, this.failed,
								secrets.of(this.author), secrets.of(this.branch), secrets.ofNullable(this.body));
			}

		}

	}

}
