package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;

/** The ways into the past of a session: to read it, to fork it, and to go back to it. */
final class TimeTravel {

	private static final int MOST_FORKS = 4;

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	private final Random random;

	private final Artifacts artifacts;

	TimeTravel(World world, Sender sender, Random random, Artifacts artifacts) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
		this.random = random;
		this.artifacts = artifacts;
	}

	/** Reads a session as it was after an event, which may be one that it never had. */
	void read(Slot slot) {
		int seq = seq(slot);
		this.sender.send("GET", this.world.session(slot) + "?atSeq=" + seq, null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> this.recorder.read(slot, exchange,
					(exchange.status() == 200) ? seen(slot, exchange, seq) : refused(slot, exchange, seq)));
	}

	/**
	 * Forks a session. Some forks live on, and clients write to them. The others are
	 * known to nobody else, so they have to be what the answer shows until they are
	 * deleted, unless their user is erased.
	 */
	void fork(Slot slot, Condition condition) {
		int seq = seq(slot);
		boolean newest = this.random.nextInt(3) == 0;
		Slot fork = new Slot("fork-" + this.recorder.next(), Slot.Kind.FORK, List.of(slot.user()));
		boolean lives = this.world.forks().size() < MOST_FORKS && this.random.nextBoolean();
		if (lives) {
			// An erasure that begins from now on may remove it
			this.world.forksToBe().add(fork);
		}
		String body = "{\"sessionId\":\"%s\"%s}".formatted(fork.id(), newest ? "" : ",\"atSeq\":" + seq);
		this.sender
			.send("POST", this.world.session(slot) + ":fork" + Appends.query(condition), body,
					Appends.headers(condition))
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				if (exchange.status() == 201) {
					long revision = exchange.orThrow().at("/forkedFrom/seq").longValue();
					boolean isShared = lives && !mayBeGone(slot.user(), exchange);
					Function<Kept, Boolean> files = isShared ? (kept) -> true
							: this.artifacts.ofFork(slot, this.world.session(fork), newest ? Long.MAX_VALUE : seq);
					this.recorder.read(slot, exchange,
							seen(slot, exchange, newest ? revision : seq).andThen((seen) -> seen.stream()
								.filter((kept) -> condition.mayHold(kept) && (!newest || kept.revision() == revision))
								.filter(files::apply)
								.toList()));
					this.recorder.saw(slot.user(), exchange.orThrow().at("/state"), exchange);
					if (isShared) {
						live(fork, exchange);
					}
					else {
						check(slot, this.world.session(fork), exchange);
					}
				}
				else {
					this.recorder.read(slot, exchange, exchange.code().equals("STALE_SESSION") ? stale(slot, condition)
							: refused(slot, exchange, newest ? -1 : seq));
				}
			});
	}

	private void live(Slot fork, Exchange exchange) {
		Seen seen = Seen.of(exchange.orThrow().json(), null, 0);
		List<String> events = Seen.tokens(exchange.orThrow().at("/events"));
		Tag tag = Objects.requireNonNull(exchange.tag());
		this.recorder.session(fork, exchange,
				(kept) -> kept.isGone() ? List.of(Kept.forked(seen, events, tag)) : List.of());
		fork.remember(tag, exchange.lastUpdateTime());
		this.world.forks().add(fork);
	}

	private static Function<Kept, List<Kept>> stale(Slot slot, Condition condition) {
		return (kept) -> (kept.isOf(slot.user()) && condition.mayFail(kept)) ? List.of(kept) : List.of();
	}

	private void check(Slot slot, String fork, Exchange forked) {
		this.sender.send("GET", fork, null).filter(Exchange::isAnswered).ifPresent((exchange) -> {
			boolean same = exchange.status() == 200
					&& exchange.orThrow().at("/events").equals(forked.orThrow().at("/events"))
					&& Seen.of(exchange.orThrow().json(), null, 0)
						.state()
						.equals(Seen.of(forked.orThrow().json(), null, 0).state());
			if (!same && !(exchange.status() == 404 && mayBeGone(slot.user(), forked))) {
				this.recorder.fault("Not as it was answered: " + forked.text() + " then " + exchange.text());
			}
		});
		this.sender.send("DELETE", fork, null);
	}

	/** It ends with its source, and goes with its user. */
	private boolean mayBeGone(String user, Exchange forked) {
		return forked.orThrow().header("X-Expire-Time").isPresent() || this.recorder.mayHaveErased(user, forked.from());
	}

	/** Takes a session back to before an event that a client has sent. */
	void rewind(Slot slot, String target, Condition condition) {
		Rewind rewind = new Rewind(slot.user(), target, Events.REWIND + this.recorder.next(), condition);
		this.world.rewinds().put(rewind.id(), target);
		String body = "{\"beforeInvocationId\":\"%s\",\"eventId\":\"%s\"}".formatted(target, rewind.id());
		send(slot, rewind, body);
		if (this.random.nextInt(4) == 0) {
			send(slot, rewind, body);
		}
	}

	private void send(Slot slot, Rewind rewind, String body) {
		this.sender
			.send("POST", this.world.session(slot) + ":rewind" + Appends.query(rewind.condition()), body,
					Appends.headers(rewind.condition()))
			.ifPresent((exchange) -> {
				if (!exchange.isAnswered()) {
					this.recorder.session(slot, exchange, rewind::stored);
				}
				else if (exchange.status() == 200 && !exchange.isReplayed()) {
					this.recorder.session(slot, exchange,
							(kept) -> rewind.stored(kept, exchange.tag(), exchange.lastUpdateTime()));
					slot.remember(exchange.tag(), exchange.lastUpdateTime());
				}
				else {
					this.recorder.read(slot, exchange, unchanged(rewind, exchange));
				}
			});
	}

	private Function<Kept, List<Kept>> unchanged(Rewind rewind, Exchange exchange) {
		if (exchange.status() == 200) {
			return rewind::replayed;
		}
		return switch (exchange.code()) {
			case "INVOCATION_NOT_FOUND" -> rewind::unknown;
			case "SESSION_BUSY", "LEASE_LOST" -> rewind::outOfTurn;
			case "STALE_SESSION" ->
				(kept) -> rewind.stale(kept, exchange.orThrow().at("/revision").longValue(), exchange.lastUpdateTime());
			default -> Lives.missing(this.recorder, rewind.owner(), exchange);
		};
	}

	/** What an answer shows of the past has been so. */
	private static Function<Kept, List<Kept>> seen(Slot slot, Exchange exchange, long seq) {
		List<String> events = Seen.tokens(exchange.orThrow().at("/events"));
		Map<String, String> state = Seen.of(exchange.orThrow().json(), null, 0).state();
		return (kept) -> {
			boolean same = kept.isOf(slot.user()) && kept.revision() >= seq && kept.states().mayHaveBeen(seq, state)
					&& kept.events().upTo(seq).equals(events);
			return same ? List.of(kept) : List.of();
		};
	}

	/** There is no session, or it never had so many events. */
	private Function<Kept, List<Kept>> refused(Slot slot, Exchange exchange, long seq) {
		return (exchange.status() == 400)
				? (kept) -> (kept.isOf(slot.user()) && kept.revision() < seq) ? List.of(kept) : List.of()
				: Lives.missing(this.recorder, slot.user(), exchange);
	}

	private int seq(Slot slot) {
		int known = slot.tags().stream().findFirst().map((tag) -> (int) tag.revision()).orElse(2);
		return this.random.nextInt(known + 2);
	}

}
