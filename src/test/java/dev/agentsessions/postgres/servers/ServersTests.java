package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.servers.Servers.Server;
import dev.agentsessions.postgres.servers.ServersProperties.NoOtherServer;
import dev.agentsessions.postgres.servers.ServersProperties.ServerProperties;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.startup.StartupException;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/** Two servers behind one service. Each has half of the users. */
@HttpTest
@ContextConfiguration(initializers = SecondDatabase.class)
class ServersTests {

	private static final int USERS = 40;

	private final Http http;

	private final Servers servers;

	private final Buckets buckets;

	private final ApplicationContext context;

	private final MeterRegistry metrics;

	ServersTests(Http http, Servers servers, Buckets buckets, ApplicationContext context, MeterRegistry metrics) {
		this.http = http;
		this.servers = servers;
		this.buckets = buckets;
		this.context = context;
		this.metrics = metrics;
	}

	@Test
	void eachPortOfTheStoreIsThatOfAllServers() {
		List<Class<?>> ports = Stream.of(this.context.getBeanDefinitionNames())
			.map(this.context::getType)
			.filter((type) -> type != null && type.getName().startsWith("dev.agentsessions.postgres."))
			.flatMap((type) -> Stream.<Class<?>>of(type.getInterfaces()))
			.filter((port) -> port.getName().startsWith("dev.agentsessions.")
					&& !port.getName().startsWith("dev.agentsessions.postgres."))
			.distinct()
			.toList();
		assertThat(ports).hasSizeGreaterThan(15);
		assertThat(ports).filteredOn((port) -> !StoreRouter.isRouter(this.context.getBean(port)))
			.extracting(Class::getSimpleName)
			.containsExactlyInAnyOrder("SecretStore", "SignOutStore");
	}

	/** {@link StoreRouter} has to know each of them. */
	@Test
	void eventsThatAreReadAfterACallAreInFewTypes() {
		assertThat(new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("dev.agentsessions.session", "dev.agentsessions.search", "dev.agentsessions.watch"))
			.filteredOn((type) -> type.getFields().stream().anyMatch((field) -> isNamed(field, EventStream.class)))
			.extracting(JavaClass::getSimpleName)
			.containsExactlyInAnyOrder("Session", "SelectedEvents");
	}

	private static boolean isNamed(JavaField field, Class<?> type) {
		return !field.getModifiers().contains(JavaModifier.STATIC) && field.getRawType().isEquivalentTo(type);
	}

	@Test
	void refusesAPortWithAMethodThatNamesNoUser() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> StoreRouter.of(SessionService.Store.class, this.buckets, new Object()))
			.withMessageContaining("No argument names the server of");
	}

	@Test
	void rowsOfAUserAreOnOneServer() {
		createSessions("one");
		List<Long> counts = this.servers.all()
			.stream()
			.map((server) -> server.store(JdbcTemplate.class)
				.queryForObject("select count(*) from sessions where app_name = 'one'", Long.class))
			.toList();
		assertThat(counts).hasSize(2).allMatch((count) -> count > 0 && count < USERS);
		assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(USERS);
	}

	@Test
	void listsOfAnAppHaveEachSessionOnceInOneOrder() {
		List<String> created = createSessions("lists");
		assertThat(pages("/apps/lists/sessions?limit=7", "", "id")).containsExactlyInAnyOrderElementsOf(created);
		assertThat(pages("/apps/lists/sessions?limit=7&order=desc", "", "id"))
			.containsExactlyInAnyOrderElementsOf(created);
		assertThat(pages("/apps/lists/users?limit=7", "/users", "userId")).hasSize(USERS).doesNotHaveDuplicates();
		assertThat(this.http.get("/list-apps").ok().body()).contains("\"lists\"");
	}

	private List<String> createSessions(String app) {
		return IntStream.range(0, USERS).mapToObj((number) -> {
			this.http.post("/apps/" + app + "/users/u" + number + "/sessions/s" + number, "{}").ok();
			return "s" + number;
		}).toList();
	}

	private List<String> pages(String path, String items, String field) {
		Stream.Builder<String> all = Stream.builder();
		String next = path;
		while (next != null) {
			Answer page = this.http.get(next).ok();
			page.json().at(items).forEach((item) -> all.add(item.get(field).asString()));
			JsonNode token = page.json().at("/nextPageToken");
			next = token.isString() ? path + "&pageToken=" + token.asString()
					: page.header("Link")
						.filter((link) -> link.contains("rel=\"next\""))
						.map((link) -> link.substring(link.indexOf("/apps"), link.indexOf('>')))
						.orElse(null);
		}
		return all.build().toList();
	}

	/** Whatever one server has found after the end of the page of another. */
	@Test
	void aMergedPageEndsWhereAPageOfAServerEnds() {
		List<Page<Integer>> pages = List.of(new Page<>(List.of(1, 4), true), new Page<>(List.of(2, 3, 5, 6), false));
		assertThat(MergedAnswers.merge(pages, (item) -> true, Integer::compare, 10))
			.isEqualTo(new Page<>(List.of(1, 2, 3, 4), true));
		assertThat(MergedAnswers.merge(pages, (item) -> item != 4, Integer::compare, 10))
			.isEqualTo(new Page<>(List.of(1, 2, 3), true));
		assertThat(MergedAnswers.merge(pages, (item) -> item > 4, Integer::compare, 10))
			.isEqualTo(new Page<>(List.of(), true));
	}

	@Test
	void anIdIsFoundWithoutItsUserAndTakenOnce() {
		SessionService.Store store = this.context.getBean(SessionService.Store.class);
		SessionName onMain = nameOn(this.servers.main(), "v1");
		SessionName onB = nameOn(this.servers.named("b"), "v1");
		store.createLocatable(new CreateSession(onB, StateDelta.EMPTY, List.of(), SessionDetails.NONE));
		assertThat(store.locate("located", "v1")).containsExactly(onB);
		assertThatExceptionOfType(SessionException.AlreadyExists.class).isThrownBy(() -> store
			.createLocatable(new CreateSession(onMain, StateDelta.EMPTY, List.of(), SessionDetails.NONE)));
	}

	/** Each of them holds a lock for its id when it asks for the lock of the app. */
	@Test
	void creationsWithStateOfTheAppDoNotWaitForEachOther() {
		SessionService.Store store = this.context.getBean(SessionService.Store.class);
		StateDelta delta = new StateDelta(Map.of("app:k", new JsonText("1")));
		long start = System.nanoTime();
		List<CompletableFuture<Session>> creations = IntStream.range(0, 16)
			.mapToObj((number) -> CompletableFuture.supplyAsync(
					() -> store.createLocatable(new CreateSession(new SessionName("crowd", "u" + number, "c" + number),
							delta, List.of(), SessionDetails.NONE))))
			.toList();
		assertThat(creations).allSatisfy((creation) -> assertThat(creation.join().revision()).isZero());
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
	}

	private SessionName nameOn(Server server, String id) {
		return IntStream.range(0, USERS)
			.mapToObj((number) -> new SessionName("located", "u" + number, id))
			.filter((name) -> this.buckets.of(name.user()) == server)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void findsFailedSessionsOfAllServersPageByPage() {
		IntStream.range(0, USERS)
			.forEach((number) -> this.http
				.post("/apps/failed/users/u" + number + "/sessions/s" + number,
						"{\"events\":[{\"author\":\"a\",\"errorCode\":\"X\"}]}")
				.ok());
		assertThat(pages("/apps/failed/sessions?error=true&limit=7", "", "id")).hasSize(USERS).doesNotHaveDuplicates();
	}

	@Test
	void metricsNameTheirServer() {
		assertThat(this.metrics.get("agentsessions.database.up").tag("server", "main").gauge().value()).isEqualTo(1);
		assertThat(this.metrics.get("agentsessions.database.up").tag("server", "b").gauge().value()).isEqualTo(1);
		assertThat(this.metrics.get("hikaricp.connections.pending").tag("server", "b").gauge().value()).isZero();
	}

	@Test
	void refusesTheMainServerUnderAnotherName() {
		assertThatExceptionOfType(StartupException.class).isThrownBy(() -> Servers.refuseMain(this.servers.main()))
			.withMessageContaining("so it is the main server");
		Servers.refuseMain(this.servers.named("b"));
	}

	@Test
	void refusesToStartWithoutAServerThatHasUsers() {
		JdbcTemplate main = this.servers.main().store(JdbcTemplate.class);
		Transactions transactions = this.servers.main().store(Transactions.class);
		assertThatExceptionOfType(StartupException.class)
			.isThrownBy(() -> new NoOtherServer(new ServersProperties(Map.of()), transactions, main).start());
		ServerProperties second = new ServerProperties("jdbc:postgresql://b/b", null, null);
		new NoOtherServer(new ServersProperties(Map.of("b", second)), transactions, main).start();
		assertThatIllegalArgumentException().isThrownBy(() -> new ServersProperties(Map.of("main", second)));
		assertThatExceptionOfType(StartupException.class).isThrownBy(() -> this.servers.named("c"));
	}

}
