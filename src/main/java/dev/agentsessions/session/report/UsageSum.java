package dev.agentsessions.session.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Adds up events. */
final class UsageSum {

	private final long seq;

	private final Instant start;

	private final Map<String, ModelUsage> models = new HashMap<>();

	private long events;

	private long invalid;

	private long turns;

	private long failedTurns;

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
			String model = event.model();
			this.models.merge(Objects.toString(model, ""), new ModelUsage(model, 1, usage.tokens(), null),
					ModelUsage::plus);
			this.invalid += usage.valid() ? 0 : 1;
		}
	}

	long events() {
		return this.events;
	}

	/** Returns the number of models. */
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
		return new UsageRow(name, this.seq, this.start, toUsage(prices));
	}

}
