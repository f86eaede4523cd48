package dev.agentsessions.postgres.state;

import java.util.Map;

import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.heap.ResponseHeap;

/** Reads the state that sessions share, when there is memory for it. */
@Component
public class SharedStateReader {

	private final Transactions transactions;

	private final StateRepository state;

	private final ResponseHeap memory;

	SharedStateReader(Transactions transactions, StateRepository state, ResponseHeap memory) {
		this.transactions = transactions;
		this.state = state;
		this.memory = memory;
	}

	/** Reads the keys of an owner, without prefix. */
	public Map<String, JsonText> read(StateOwner owner) {
		this.memory.take(this.transactions.statement(() -> this.state.size(ScopeKey.of(owner))));
		return this.transactions.statement(() -> this.state.read(owner));
	}

}
