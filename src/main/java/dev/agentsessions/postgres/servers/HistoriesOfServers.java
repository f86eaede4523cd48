package dev.agentsessions.postgres.servers;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
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
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.StoreHealth;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/**
 * Exports, imports, histories and watches where a call names a session by its key, or an
 * app.
 */
@Component
@OnSeveralServers
class HistoriesOfServers {

	private final Servers servers;

	private final AppStateCopies appState;

	HistoriesOfServers(Servers servers, AppStateCopies appState) {
		this.servers = servers;
		this.appState = appState;
	}

	Instant now() {
		return this.servers.main().store(TransferService.Store.class).now();
	}

	Optional<String> nextUser(String appName, @Nullable String after) {
		return this.servers.ask(TransferService.Store.class, (store) -> store.nextUser(appName, after))
			.stream()
			.flatMap(Optional::stream)
			.min(ScopeKey.orderOfUsers(appName));
	}

	/** Only one server has the session. */
	Map<String, JsonText> initialState(UUID sessionKey) {
		for (Server server : this.servers.all()) {
			try {
				return server.store(TransferService.Store.class).initialState(sessionKey);
			}
			catch (SessionException.NotFound ex) {
				// Another server may have it
			}
		}
		throw new SessionException.NotFound();
	}

	Map<String, JsonText> state(StateOwner owner) {
		return transfer(owner).state(owner);
	}

	Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values) {
		if (owner.userId() != null) {
			return transfer(owner).addState(owner, values);
		}
		return this.appState.changing(owner, values.keySet(), this.servers.main(),
				() -> transfer(owner).addState(owner, values));
	}

	void abandon(UUID sessionKey) {
		this.servers.all().forEach((server) -> server.store(TransferService.Store.class).abandon(sessionKey));
	}

	void confirmReads() {
		this.servers.all().forEach((server) -> server.store(HistoryService.Store.class).confirmReads());
	}

	Map<UUID, LiveSession> live(Collection<UUID> sessionKeys) {
		Map<UUID, LiveSession> live = new HashMap<>();
		this.servers.ask(WatchService.Store.class, (store) -> store.live(sessionKeys)).forEach(live::putAll);
		return live;
	}

	Optional<EventPage> following(EventPoint point) {
		return this.servers.all()
			.stream()
			.flatMap((server) -> server.store(WatchService.Store.class).following(point).stream())
			.findFirst();
	}

	boolean explains(SessionException.Unavailable failure) {
		return this.servers.ask(StoreHealth.class, (health) -> health.explains(failure)).contains(true);
	}

	boolean responds() {
		return this.servers.ask(StoreHealth.class, StoreHealth::responds).contains(true);
	}

	private TransferService.Store transfer(StateOwner owner) {
		return this.servers.of(owner).store(TransferService.Store.class);
	}

}
