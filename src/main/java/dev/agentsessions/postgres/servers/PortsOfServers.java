package dev.agentsessions.postgres.servers;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import dev.agentsessions.postgres.servers.ServersProperties.OnSeveralServers;
import dev.agentsessions.search.FactLocator.FactDirectory;
import dev.agentsessions.search.FactService;
import dev.agentsessions.search.SearchService;
import dev.agentsessions.session.StoreHealth;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.session.event.EventService.SessionReads;
import dev.agentsessions.session.lifecycle.Creations;
import dev.agentsessions.session.lifecycle.HistoryService;
import dev.agentsessions.session.lifecycle.LeaseService;
import dev.agentsessions.session.lifecycle.PendingService;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.report.FailureService;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.transfer.ArtifactTransferStore;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.watch.WatchService;

/**
 * The ports of the store over all servers. They come before those of the main server,
 * which has besides what belongs to no app: secrets, and cookies that are signed out.
 */
@Configuration(proxyBeanMethods = false)
@OnSeveralServers
class PortsOfServers {

	private final Servers servers;

	PortsOfServers(Servers servers) {
		this.servers = servers;
	}

	/** The metrics of further servers have their names as the tag {@code server}. */
	@Bean
	static MeterRegistryCustomizer<MeterRegistry> serverOfMetrics() {
		return (registry) -> registry.config().commonTags(Servers.TAG, ServersProperties.MAIN);
	}

	@Bean
	@Primary
	SessionService.Store sessionsOfAll(SessionsOfServers sessions) {
		return StoreRouter.of(SessionService.Store.class, this.servers, sessions);
	}

	@Bean
	@Primary
	EventService.Store eventsOfAll(SessionsOfServers sessions) {
		return StoreRouter.of(EventService.Store.class, this.servers, sessions);
	}

	@Bean
	@Primary
	SessionReads readsOfAll() {
		return StoreRouter.of(SessionReads.class, this.servers);
	}

	@Bean
	@Primary
	Creations.Store creationsOfAll() {
		return StoreRouter.of(Creations.Store.class, this.servers);
	}

	@Bean
	@Primary
	LeaseService.Store leasesOfAll() {
		return StoreRouter.of(LeaseService.Store.class, this.servers);
	}

	@Bean
	@Primary
	ArtifactService.Store artifactsOfAll() {
		return StoreRouter.of(ArtifactService.Store.class, this.servers);
	}

	@Bean
	@Primary
	ArtifactTransferStore artifactTransfersOfAll() {
		return StoreRouter.of(ArtifactTransferStore.class, this.servers);
	}

	@Bean
	@Primary
	PendingService.Store pendingOfAll(ReportsOfServers reports) {
		return StoreRouter.of(PendingService.Store.class, this.servers, reports);
	}

	@Bean
	@Primary
	FailureService.Store failuresOfAll(ReportsOfServers reports) {
		return StoreRouter.of(FailureService.Store.class, this.servers, reports);
	}

	@Bean
	@Primary
	UsageService.Store usageOfAll(ReportsOfServers reports) {
		return StoreRouter.of(UsageService.Store.class, this.servers, reports);
	}

	@Bean
	@Primary
	FactService.Store factsOfAll(MemoryOfServers memory) {
		return StoreRouter.of(FactService.Store.class, this.servers, memory);
	}

	@Bean
	@Primary
	FactDirectory factDirectoryOfAll(MemoryOfServers memory) {
		return StoreRouter.of(FactDirectory.class, this.servers, memory);
	}

	@Bean
	@Primary
	SearchService.Store searchOfAll(MemoryOfServers memory) {
		return StoreRouter.of(SearchService.Store.class, this.servers, memory);
	}

	@Bean
	@Primary
	HistoryService.Store historiesOfAll(HistoriesOfServers histories) {
		return StoreRouter.of(HistoryService.Store.class, this.servers, histories);
	}

	@Bean
	@Primary
	TransferService.Store transfersOfAll(HistoriesOfServers histories) {
		return StoreRouter.of(TransferService.Store.class, this.servers, histories);
	}

	@Bean
	@Primary
	WatchService.Store watchesOfAll(HistoriesOfServers histories) {
		return StoreRouter.of(WatchService.Store.class, this.servers, histories);
	}

	@Bean
	@Primary
	StoreHealth healthOfAll(HistoriesOfServers histories) {
		return StoreRouter.of(StoreHealth.class, this.servers, histories);
	}

}
