package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.linearizability.Slot.Kind;

/** Saves, loads and deletes the artifacts of sessions. */
final class Artifacts {

	/** The names of the artifacts that clients save. */
	static final List<String> NAMES = List.of("f-0", "f-1");

	private static final int LARGE = 300_000;

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	private final Choices choices;

	Artifacts(World world, Sender sender, Choices choices) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
		this.choices = choices;
	}

	/** Whether the model knows the artifacts of a session of this kind. */
	static boolean areKnown(Slot slot) {
		return slot.kind() == Kind.LASTING || slot.kind() == Kind.ENDING;
	}

	void any(Slot slot) {
		String name = this.choices.oneOf(NAMES);
		switch (this.choices.below(9)) {
			case 0, 1, 2, 3 -> save(slot, name);
			case 4, 5 -> load(slot, name, null);
			case 6 -> load(slot, name, this.choices.below(4));
			case 7 -> count(slot, name);
			default -> delete(slot, name);
		}
	}

	private void save(Slot slot, String name) {
		String content = "v" + this.recorder.next()
				+ (this.choices.maybe(10) ? " " + "x".repeat(this.choices.below(LARGE)) : "");
		this.sender.sendAs("text/plain", "PUT", path(slot, name) + "?part=text", content).ifPresent((exchange) -> {
			int version = exchange.isAnswered() ? exchange.orThrow().at("/version").asInt(-1) : -1;
			Function<Kept, List<Kept>> saved = (
					kept) -> (kept.isOf(slot.user()) && (version < 0 || kept.files().count(name) == version))
							? List.of(kept.with(kept.files().saved(name, content, kept.revision()))) : List.of();
			if (exchange.isAnswered() && exchange.status() != 200) {
				this.recorder.read(slot, exchange, Lives.missing(this.recorder, slot.user(), exchange));
			}
			else {
				this.recorder.session(slot, exchange, saved);
			}
		});
	}

	private void load(Slot slot, String name, @Nullable Integer version) {
		String query = (version != null) ? "?version=" + version : "";
		this.sender.send("GET", path(slot, name) + query, null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> this.recorder.read(slot, exchange, seen(slot, exchange,
					(files) -> (version != null) ? files.version(name, version) : files.newest(name))));
	}

	/** What an answer shows, or that there is no such version or session. */
	private Function<Kept, List<Kept>> seen(Slot slot, Exchange exchange, Function<Files, Optional<String>> expected) {
		if (exchange.status() != 200 && !exchange.code().equals("ARTIFACT_NOT_FOUND")) {
			return Lives.missing(this.recorder, slot.user(), exchange);
		}
		Optional<String> shown = shown(exchange);
		return (kept) -> (kept.isOf(slot.user()) && expected.apply(kept.files()).equals(shown)) ? List.of(kept)
				: List.of();
	}

	private static Optional<String> shown(Exchange exchange) {
		return (exchange.status() == 200) ? Optional.of(exchange.orThrow().at("/text").asString("wrong"))
				: Optional.empty();
	}

	private void count(Slot slot, String name) {
		this.sender.send("GET", path(slot, name) + "/versions", null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				int count = (exchange.status() == 200) ? exchange.orThrow().json().size() : 0;
				this.recorder.read(slot, exchange,
						(exchange.status() != 200) ? Lives.missing(this.recorder, slot.user(), exchange)
								: (kept) -> (kept.isOf(slot.user()) && kept.files().count(name) == count)
										? List.of(kept) : List.of());
			});
	}

	/** A deletion of what is not there succeeds. */
	private void delete(Slot slot, String name) {
		this.sender.send("DELETE", path(slot, name), null).ifPresent((exchange) -> {
			if (exchange.isAnswered() && exchange.status() != 204) {
				this.recorder.read(slot, exchange, Lives.missing(this.recorder, slot.user(), exchange));
			}
			else {
				this.recorder.session(slot, exchange,
						(kept) -> kept.isOf(slot.user()) ? List.of(kept.with(kept.files().deleted(name))) : List.of());
			}
		});
	}

	/**
	 * Returns whether the artifacts of a new fork are those that its source had after an
	 * event. No other client uses the fork.
	 */
	Function<Kept, Boolean> ofFork(Slot source, String fork, long seq) {
		if (!areKnown(source)) {
			return (kept) -> true;
		}
		List<Optional<Exchange>> loads = NAMES.stream()
			.map((name) -> this.sender.send("GET", fork + "/artifacts/" + name, null).filter(Exchange::isAnswered))
			.toList();
		return (kept) -> {
			boolean right = true;
			for (int number = 0; number < NAMES.size(); number++) {
				String name = NAMES.get(number);
				right &= loads.get(number)
					.map((load) -> load.code().equals("SESSION_NOT_FOUND")
							|| shown(load).equals(kept.files().newest(name, seq)))
					.orElse(true);
			}
			return right;
		};
	}

	private String path(Slot slot, String name) {
		return this.world.session(slot) + "/artifacts/" + name;
	}

}
