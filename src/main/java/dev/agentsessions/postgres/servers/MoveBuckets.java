package dev.agentsessions.postgres.servers;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.modulith.NamedInterface;

import dev.agentsessions.postgres.servers.BucketMover.Moved;
import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;

/**
 * Moves buckets of users to another server:
 * {@code java -jar agent-sessions.jar --move-buckets=128-255 --to=b}. It has the same
 * settings as a replica. {@code --to} is the name of a server, or {@code main}. Replicas
 * may run: requests of the users of a bucket wait while it is moved.
 *
 * <p>
 * Buckets are moved one after the other, and each is either where it was or where it is
 * to be, whenever the command ends. A move that ended early can leave rows of one bucket
 * on a second server, which no replica reads. The same command again deletes them.
 *
 * <p>
 * A replica that was killed is still in the table {@code replicas}. The command cannot
 * know that, asks, and is told by {@code --without=3,5}.
 */
@NamedInterface("move-buckets")
public final class MoveBuckets {

	private static final String BUCKETS = "move-buckets";

	private static final String TO = "to";

	private static final String WITHOUT = "without";

	private static final String DRIVER_PROPERTIES = "spring.datasource.hikari.data-source-properties";

	private static final Pattern MIGRATION = Pattern.compile("V(\\d+)__.*");

	private final MoveConnections servers;

	private final BucketMover mover;

	private final PrintStream out;

	private MoveBuckets(MoveConnections servers, PrintStream out) {
		this.servers = servers;
		this.mover = new BucketMover(servers);
		this.out = out;
	}

	/** Returns whether the arguments of the program ask for this command. */
	public static boolean isIn(String... arguments) {
		return Stream.of(arguments).anyMatch((argument) -> argument.matches("--" + BUCKETS + "(=.*)?"));
	}

	/**
	 * Moves the buckets that the arguments of the program name, and prints each.
	 * @return the exit code: 0, or 1 after a text that says why not all buckets are moved
	 */
	public static int run(String... arguments) {
		return run(System.out, System.err, arguments);
	}

	static int run(PrintStream out, PrintStream err, String... arguments) {
		SpringApplication settings = new SpringApplication(Settings.class);
		settings.setWebApplicationType(WebApplicationType.NONE);
		settings.setBannerMode(Banner.Mode.OFF);
		settings.setLogStartupInfo(false);
		try (ConfigurableApplicationContext context = settings.run(arguments)) {
			move(context, out);
			return 0;
		}
		catch (MoveException ex) {
			err.println(ex.getMessage());
			return 1;
		}
		catch (SQLException | IOException ex) {
			err.println("The move has failed: " + ex.getMessage());
			err.println("Repeat the command.");
			return 1;
		}
	}

	private static void move(ConfigurableApplicationContext context, PrintStream out) throws SQLException, IOException {
		Environment environment = context.getEnvironment();
		Collection<Integer> buckets = BucketList.parse(environment.getRequiredProperty(BUCKETS));
		String to = environment.getProperty(TO, "");
		Properties driver = Binder.get(environment)
			.bind(DRIVER_PROPERTIES, Properties.class)
			.orElseGet(Properties::new);
		try (MoveConnections servers = MoveConnections.connect(context.getBean(DataSourceProperties.class),
				context.getBean(ServersProperties.class), driver)) {
			MoveConnection target = servers.named(to);
			servers.refuseOthers();
			servers.refuseOtherSchemas(environment.getProperty("spring.flyway.table", "flyway_schema_history"),
					versionOfProgram());
			servers.refuseOtherMain();
			servers.replicas().forget(numbers(environment.getProperty(WITHOUT, "")));
			new MoveBuckets(servers, out).move(buckets, target);
		}
	}

	private static List<Long> numbers(String text) {
		if (!text.matches("(\\d{1,18}(,\\d{1,18})*)?")) {
			throw new MoveException("'%s' are no numbers of replicas, such as 3,5.".formatted(text));
		}
		return Stream.of(text.split(",")).filter((number) -> !number.isEmpty()).map(Long::valueOf).toList();
	}

	/** Returns the version of the tables that the newest migration makes. */
	private static String versionOfProgram() throws IOException {
		Resource[] migrations = new PathMatchingResourcePatternResolver().getResources("classpath:db/migration/V*.sql");
		return Stream.of(migrations)
			.map((migration) -> MIGRATION.matcher(String.valueOf(migration.getFilename())))
			.filter(Matcher::matches)
			.map((name) -> Integer.valueOf(name.group(1)))
			.max(Comparator.naturalOrder())
			.orElseThrow()
			.toString();
	}

	private void move(Collection<Integer> buckets, MoveConnection target) throws SQLException {
		this.mover.refuseOtherDatabases();
		Instant start = Instant.now();
		this.mover.copyStateOfApps();
		Moved all = Moved.NOTHING;
		for (int bucket : buckets) {
			all = all.and(move(bucket, target));
		}
		this.out.printf("Moved %d sessions and %d events to %s in %.1f seconds.%n", all.sessions(), all.events(),
				target.name(), seconds(start));
	}

	private Moved move(int bucket, MoveConnection target) throws SQLException {
		Instant start = Instant.now();
		MoveConnection source = this.mover.serverOf(bucket);
		this.servers.refuseOthers();
		Moved moved = this.mover.move(bucket, source, target);
		if (source == target) {
			this.out.printf("Bucket %d is on %s already. No other server has rows of it now.%n", bucket, target.name());
		}
		else {
			this.out.printf("Bucket %d is on %s instead of %s: %d sessions, %d events, %.1f seconds.%n", bucket,
					target.name(), source.name(), moved.sessions(), moved.events(), seconds(start));
		}
		return moved;
	}

	private static double seconds(Instant start) {
		return Duration.between(start, Instant.now()).toMillis() / 1000.0;
	}

	/** The settings that the command has in common with a replica. */
	@EnableConfigurationProperties({ DataSourceProperties.class, ServersProperties.class })
	static class Settings {

	}

	/** A bucket cannot be moved. The message tells the operator why, and what to do. */
	static class MoveException extends RuntimeException {

		MoveException(String message) {
			super(message);
		}

	}

	/** Reads a list of buckets, such as {@code 7} or {@code 0-15,32-47}. */
	static final class BucketList {

		/** The last bucket; the first one is 0. */
		static final int LAST = 255;

		private static final Pattern RANGE = Pattern.compile("(\\d{1,3})(?:-(\\d{1,3}))?");

		private BucketList() {
		}

		/**
		 * Returns the buckets of a list.
		 * @throws MoveException if it is no list of buckets from 0 to {@value #LAST}
		 */
		static SortedSet<Integer> parse(String text) {
			SortedSet<Integer> buckets = new TreeSet<>();
			for (String range : text.split(",", -1)) {
				Matcher matcher = RANGE.matcher(range.strip());
				if (!matcher.matches()) {
					throw notValid(text);
				}
				int first = Integer.parseInt(matcher.group(1));
				int last = (matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : first;
				if (first > last || last > LAST) {
					throw notValid(text);
				}
				for (int bucket = first; bucket <= last; bucket++) {
					buckets.add(bucket);
				}
			}
			return buckets;
		}

		private static MoveException notValid(String text) {
			return new MoveException("'%s' names no buckets. Buckets are numbers from 0 to %d: 7, 0-63 or 0-15,32-47."
				.formatted(text, LAST));
		}

	}

}
