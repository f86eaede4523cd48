package dev.agentsessions.session.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up events. */
final class UsageSum {

	private final long seq;

	private final Instant start;

	private final Map<String, Tokens> tokens = new HashMap<>();

	private final Map<String, Long> eventsOfModel = new HashMap<>();

	private long events;

	private long invalid;

	private long turns;

	private Duration duration = Duration.ZERO;

	/** Creates a sum that has no events yet, and will begin with an event. */
	UsageSum(long seq, Instant start) {
		this.seq = seq;
		this.start = start;
	}

	void add(SpentEvent event) {
		this.events++;
		UsageMetadata usage = event.usage();
		if (usage != null) {
			String model = (event.model() != null) ? event.model() : "";
			this.tokens.merge(model, usage.tokens(), Tokens::plus);
			this.eventsOfModel.merge(model, 1L, Long::sum);
			this.invalid += usage.valid() ? 0 : 1;
		}
	}

	/** Returns the number of models. */
	int models() {
		return this.tokens.size();
	}

	void addTurn(Duration duration) {
		this.turns++;
		this.duration = this.duration.plus(duration);
	}

	Usage toUsage(PriceProperties prices) {
		List<ModelUsage> models = this.tokens.entrySet()
			.stream()
			.map((entry) -> model(entry.getKey(), entry.getValue(), prices))
			.sorted(Comparator.comparing((ModelUsage model) -> -model.tokens().total())
				.thenComparing((model) -> (model.model() != null) ? model.model() : ""))
			.toList();
		Tokens total = this.tokens.values().stream().reduce(Tokens.NONE, Tokens::plus);
		return new Usage(this.events, this.turns, this.duration, total, this.invalid, models);
	}

	UsageRow toRow(String name, PriceProperties prices) {
		return new UsageRow(name, this.seq, this.start, toUsage(prices));
	}

	private ModelUsage model(String name, Tokens tokens, PriceProperties prices) {
		String model = name.isEmpty() ? null : name;
		return new ModelUsage(model, this.eventsOfModel.getOrDefault(name, 0L), tokens, prices.cost(model, tokens));
	}

}
