package dev.agentsessions.postgres;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.ContextState.Compaction;
import dev.agentsessions.session.TimeRange;

/**
 * Works out what a model sees of a history, by the rules of ADK Python 2.13
 * ({@code events/_rewind_events.py} and {@code flows/llm_flows/context/_compaction.py}),
 * when an event changes it. A read takes what was worked out, and looks at the events
 * that came behind it.
 */
@Component
class ContextResolver {

	/**
	 * Events that call or answer functions, or may need a call that they are named after,
	 * or that no summary stands for.
	 */
	private static final List<String> LINKS = List.of("unctionC", "unction_c", "unctionR", "unction_r",
			"\"isolationScope\":", "\"branch\":", "\"compaction\":");

	private static final String FIRST_OF_INVOCATION = """
			select seq from events where session_key = ? and invocation_id = ? and seq < ? order by seq limit 1
			""";

	private final JdbcTemplate jdbc;

	private final ContextStates states;

	private final EventScan scan;

	private final FunctionSearch search;

	ContextResolver(JdbcTemplate jdbc, ContextStates states, EventScan scan, FunctionSearch search) {
		this.jdbc = jdbc;
		this.states = states;
		this.scan = scan;
		this.search = search;
	}

	/** What a model sees of the events up to one. */
	ContextState at(UUID sessionKey, long revision) {
		return withTail(sessionKey, find(sessionKey, revision), revision);
	}

	/**
	 * The same as far as it was noted: events behind the last summary are not looked at.
	 */
	ContextState find(UUID sessionKey, long revision) {
		return this.states.find(sessionKey, revision);
	}

	/**
	 * Events that came behind the last summary may have times that it stands for, and may
	 * answer calls that it stands for.
	 */
	ContextState withTail(UUID sessionKey, ContextState state, long revision) {
		if (state.isComplete(revision)) {
			return state;
		}
		FunctionLinks links = new FunctionLinks();
		this.scan.forEach(sessionKey, SeqRun.between(state.upTo() + 1, revision), times(state.compactions()), LINKS,
				(seq, event) -> links.add(seq, event, state.covers(event)));
		ContextState all = state.with(links.covered(), new BitSet());
		BitSet earlier = state.live(state.upTo());
		Map<String, Boolean> elsewhere = links.elsewhere();
		this.search.latestCalls(sessionKey, earlier, elsewhere.keySet())
			.forEach((id, seq) -> recallIfCovered(links, all, seq, id, Boolean.TRUE.equals(elsewhere.get(id))));
		return all.with(new BitSet(), recalled(sessionKey, links, all.covered(revision)));
	}

	private static void recallIfCovered(FunctionLinks links, ContextState state, int seq, String id, boolean answer) {
		if (state.compacted().get(seq)) {
			links.recall(seq, id, answer);
		}
	}

	private BitSet recalled(UUID sessionKey, FunctionLinks links, BitSet covered) {
		return SeqRun.union(links.recalled(),
				this.search.answersOfSiblings(sessionKey, SeqRun.union(covered, links.recalled()), links.answered()));
	}

	/**
	 * Takes back events.
	 * @param first the first of them
	 * @param seq the event that says so
	 */
	void rewind(UUID sessionKey, long first, long seq) {
		this.states.save(sessionKey, at(sessionKey, first - 1).rewound(first, seq), seq);
	}

	/**
	 * The first event that a rewind takes back; itself if there is no such invocation.
	 */
	long firstOf(UUID sessionKey, String invocationId, long seq) {
		if (invocationId.isEmpty()) {
			return seq;
		}
		return this.jdbc.queryForList(FIRST_OF_INVOCATION, Long.class, sessionKey, invocationId, seq)
			.stream()
			.findFirst()
			.orElse(seq);
	}

	/**
	 * Takes away the events that a summary stands for.
	 * @param seq the event of the summary
	 */
	void compact(UUID sessionKey, long seq, TimeRange times) {
		ContextState before = at(sessionKey, seq - 1);
		Compaction own = new Compaction(seq, times);
		boolean needed = before.compactions().stream().noneMatch(own::isWithin);
		List<Compaction> left = new ArrayList<>();
		BitSet within = new BitSet();
		before.compactions().forEach((one) -> {
			if (one.isWithin(own)) {
				within.set((int) one.seq());
			}
			else {
				left.add(one);
			}
		});
		if (needed) {
			left.add(own);
		}
		else {
			within.set((int) seq);
		}
		ContextState after = new ContextState(seq, before.rewound(), SeqRun.union(before.compacted(), within),
				before.recalled(), before.waiting(), List.copyOf(left));
		this.states.save(sessionKey, needed ? summedUp(sessionKey, after, own) : after, seq);
	}

	/** What was recalled before is so only if it is still needed. */
	private ContextState summedUp(UUID sessionKey, ContextState state, Compaction summary) {
		FunctionLinks links = new FunctionLinks();
		long before = summary.seq() - 1;
		BitSet recalled = SeqRun.common(state.recalled(), state.live(before));
		this.scan.forEach(sessionKey, SeqRun.union(state.kept(before), recalled), summary.times(), LINKS,
				(seq, event) -> links.add(seq, event,
						recalled.get(seq) || event.coverable() && summary.times().contains(event.time())),
				links::cover);
		ContextState all = new ContextState(state.upTo(), state.rewound(),
				SeqRun.union(state.compacted(), links.covered()), new BitSet(), state.waiting(), state.compactions());
		return all.with(new BitSet(), recalled(sessionKey, links, all.covered(before)));
	}

	private static TimeRange times(List<Compaction> compactions) {
		return new TimeRange(compactions.stream().mapToDouble((one) -> one.times().from()).min().orElse(1),
				compactions.stream().mapToDouble((one) -> one.times().to()).max().orElse(0));
	}

}
