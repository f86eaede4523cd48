package dev.agentsessions.linearizability;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Some seconds of many clients in an app of its own, and the search for what should not
 * have happened in them.
 */
final class Round {

	private static final int CLIENTS = 12;

	/** So many attempts are enough for any history that was right. */
	private static final int LIMIT = 300_000;

	private final World world;

	private final Cluster cluster;

	private final Random random;

	Round(String app, Mix mix, Cluster cluster, long seed) {
		this.world = World.of(app, mix);
		this.cluster = cluster;
		this.random = new Random(seed);
	}

	/**
	 * Lets the clients work, and then looks at everything once more.
	 * @return what should not have happened
	 */
	List<String> run(int millis) {
		long end = System.nanoTime() + millis * 1_000_000L;
		Killer killer = new Killer(this.cluster, this.random.nextLong());
		killer.start();
		List<Client> clients = IntStream.range(0, CLIENTS)
			.mapToObj((i) -> new Client(this.world, this.cluster, new Random(this.random.nextLong()),
					() -> System.nanoTime() < end, i))
			.toList();
		CompletableFuture
			.allOf(clients.stream()
				.map((client) -> CompletableFuture.runAsync(client, (task) -> new Thread(task).start()))
				.toArray(CompletableFuture[]::new))
			.join();
		int kills = killer.stop();
		this.cluster.awaitNothingPrepared();
		readAll();
		List<String> faults = new ArrayList<>(findFaults());
		faults.addAll(new Index(this.world, sender(), this.cluster.url()).findFaults());
		faults.addAll(Rows.findFaults(this.cluster.url(), this.world));
		System.out.printf("%s, %s: %d operations, %d kills, %d faults%n", this.world.app(), this.world.mix(), size(),
				kills, faults.size());
		return faults;
	}

	private int size() {
		return this.world.recorder().sessions().values().stream().mapToInt(Collection::size).sum();
	}

	private void readAll() {
		Sender sender = sender();
		Reads reads = new Reads(this.world, sender, this.cluster, this.random);
		Views views = new Views(this.world, sender, this.cluster, this.random);
		this.world.allSlots().forEach(reads::session);
		this.world.allSlots().forEach(views::pending);
		Searches searches = new Searches(this.world, sender, this.random);
		this.world.allSlots().forEach((slot) -> slot.users().forEach((user) -> searches.one(slot, user)));
		World.USERS.forEach(reads::list);
		World.USERS.forEach(new Transfers(this.world, sender)::export);
	}

	private Sender sender() {
		return new Sender(this.cluster, this.world.recorder(), this.random);
	}

	private List<String> findFaults() {
		Recorder recorder = this.world.recorder();
		List<String> faults = new ArrayList<>(recorder.faults());
		recorder.sessions()
			.forEach((name, history) -> findFault(history, Kept.NOTHING)
				.ifPresent((fault) -> faults.add("Session " + name + ": " + fault)));
		recorder.shared()
			.forEach((name, history) -> findFault(history, "")
				.ifPresent((fault) -> faults.add("State " + name + ": " + fault)));
		return faults;
	}

	/**
	 * Looks first for an order in which nothing happened that was neither answered nor
	 * noticed. After a kill there are many such operations, and each doubles the number
	 * of orders. An order without them explains all answers; without one, all count.
	 */
	private <S> Optional<String> findFault(Collection<Operation<S>> history, S initial) {
		List<Operation<S>> noticed = history.stream()
			.filter((operation) -> !this.world.recorder().isUnnoticed(operation))
			.toList();
		Optional<String> fault = OrderSearch.findFault(noticed, initial, LIMIT);
		return (fault.isPresent() && noticed.size() < history.size())
				? OrderSearch.findFault(List.copyOf(history), initial, LIMIT) : fault;
	}

}
