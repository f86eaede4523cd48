package dev.agentsessions.linearizability;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.faults.Database;
import dev.agentsessions.support.Http;

/** Some replicas of the service on one database, all of which may be killed. */
final class Cluster implements Replicas, AutoCloseable {

	private final Path folder;

	private final Settings settings;

	/** Our own, {@code null} if one was given. */
	private final @Nullable Database database;

	/** Of the database that was given, if it is Citus. */
	private final @Nullable Nodes nodes;

	private final List<ServiceProcess> processes = new ArrayList<>();

	private final AtomicReferenceArray<Http> places;

	private Cluster(Path folder, Settings settings) {
		this.folder = folder;
		this.settings = settings;
		this.database = (settings.database() != null) ? null : new Database(folder.resolve("postgres"));
		this.nodes = (settings.database() != null) ? Nodes.of(settings.database()).orElse(null) : null;
		this.places = new AtomicReferenceArray<>(settings.replicas());
	}

	/** Starts them on the database that was named, or on a new PostgreSQL. */
	static Cluster start(Path folder, Settings settings) {
		Cluster cluster = new Cluster(folder, settings);
		IntStream.range(0, settings.replicas()).forEach((i) -> cluster.processes.add(cluster.newProcess()));
		for (int i = 0; i < settings.replicas(); i++) {
			cluster.places.set(i, cluster.processes.get(i).http());
		}
		return cluster;
	}

	/**
	 * Kills a replica or the database, if it is ours, or disturbs a node of Citus, which
	 * is there again sooner than a replica.
	 */
	void killSomething(Random random) {
		if (this.nodes != null && random.nextInt(6) > 0) {
			this.nodes.disturb(random);
		}
		else if (this.database != null && random.nextInt(3) == 0) {
			this.database.kill();
		}
		else {
			killReplica(random);
		}
	}

	/** Kills a replica and starts it again elsewhere. */
	private void killReplica(Random random) {
		int place = random.nextInt(this.processes.size());
		this.processes.get(place).kill();
		this.processes.set(place, newProcess());
		this.places.set(place, this.processes.get(place).http());
	}

	/** Waits until no transaction is left between its two phases. */
	void awaitNothingPrepared() {
		if (this.nodes != null) {
			this.nodes.awaitNothingPrepared();
		}
	}

	/** Where the database is. */
	String url() {
		return Optional.ofNullable(this.settings.database())
			.orElseGet(() -> "jdbc:postgresql://127.0.0.1:" + this.database.port() + "/postgres?user=postgres");
	}

	@Override
	public Http any(Random random) {
		return this.places.get(random.nextInt(this.places.length()));
	}

	@Override
	public boolean mayFail() {
		return this.settings.kills();
	}

	private ServiceProcess newProcess() {
		return ServiceProcess.start(this.folder, "--spring.datasource.url=" + url(),
				"--agent-sessions.expiry.purge-interval=" + this.settings.purgeInterval(),
				"--agent-sessions.limits.events-per-request=2000");
	}

	@Override
	public void close() {
		this.processes.forEach(ServiceProcess::close);
		if (this.database != null) {
			this.database.close();
		}
	}

}
