package dev.agentsessions.postgres.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.StoreHealth;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/** Exports, imports and watches of the users of all servers. */
@Component
@OnSeveralServers
class HistoriesOfServers {

	private final Servers servers;

	private final Buckets buckets;

	private final AppStateCopies appState;

	HistoriesOfServers(Servers servers, Buckets buckets, AppStateCopies appState) {
		this.servers = servers;
		this.buckets = buckets;
		this.appState = appState;
	}

	Optional<String> nextUser(String appName, @Nullable String after) {
		return this.servers.ask(TransferService.Store.class, (store) -> store.nextUser(appName, after))
			.stream()
			.flatMap(Optional::stream)
			.min(ScopeKey.orderOfUsers(appName));
	}

	Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values) {
		return this.appState.changing(owner, values.keySet(), this.buckets.of(owner),
				() -> transfer(owner).addState(owner, values));
	}

	/** Of an app, users of all servers were read. */
	void confirmReads(StateOwner owner) {
		if (owner.userId() != null) {
			transfer(owner).confirmReads(owner);
		}
		else {
			this.servers.all().forEach((server) -> server.store(TransferService.Store.class).confirmReads(owner));
		}
	}

	/** While a server is away, watches of sessions on other servers go on. */
	Map<UUID, Optional<LiveSession>> live(Map<UUID, SessionName> sessions) {
		Map<Server, Map<UUID, SessionName>> byServer = new HashMap<>();
		sessions
			.forEach((key, name) -> byServer.computeIfAbsent(this.buckets.of(name.user()), (server) -> new HashMap<>())
				.put(key, name));
		Map<UUID, Optional<LiveSession>> live = new HashMap<>();
		List<SessionException.Unavailable> failures = new ArrayList<>();
		byServer.forEach((server, own) -> {
			try {
				live.putAll(server.store(WatchService.Store.class).live(own));
			}
			catch (SessionException.Unavailable ex) {
				failures.add(ex);
			}
		});
		if (live.isEmpty() && !failures.isEmpty()) {
			throw failures.get(0);
		}
		return live;
	}

	boolean explains(SessionException.Unavailable failure) {
		return this.servers.ask(StoreHealth.class, (health) -> health.explains(failure)).contains(true);
	}

	boolean responds() {
		return this.servers.ask(StoreHealth.class, StoreHealth::responds).contains(true);
	}

	private TransferService.Store transfer(StateOwner owner) {
		return this.buckets.of(owner).store(TransferService.Store.class);
	}

}
