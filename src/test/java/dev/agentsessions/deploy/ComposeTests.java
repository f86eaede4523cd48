package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What {@code docker compose} would complain about, or only the one who looks later. */
class ComposeTests {

	private final Map<String, Map<String, Map<String, Object>>> file = new Yaml()
		.load(Files.readString(Path.of("docker-compose.yml")));

	ComposeTests() throws IOException {
	}

	@Test
	void namesOnlyServicesVolumesAndFilesThatAreThere() {
		assertThat(services()).allSatisfy((service) -> {
			assertThat(this.file.get("services").keySet()).containsAll(needed(service));
			for (Object volume : (List<?>) service.getOrDefault("volumes", List.of())) {
				String source = volume.toString().split(":")[0];
				boolean there = source.startsWith(".") ? Files.exists(Path.of(source))
						: this.file.get("volumes").containsKey(source);
				assertThat(there).as(source).isTrue();
			}
		});
	}

	/** Either a list, or a map with what has to be true of each. */
	private static List<String> needed(Map<String, Object> service) {
		Object needed = service.getOrDefault("depends_on", List.of());
		Collection<?> names = (needed instanceof Map<?, ?> conditions) ? conditions.keySet() : (List<?>) needed;
		return names.stream().map(Object::toString).toList();
	}

	@Test
	void pinsImagesAndPublishesPortsOnThisMachineOnly() {
		assertThat(services()).allSatisfy((service) -> {
			assertThat(service.containsKey("build") || service.get("image").toString().matches(".*:v?\\d.*")).isTrue();
			assertThat((List<?>) service.getOrDefault("ports", List.of()))
				.allMatch((port) -> port.toString().startsWith("127.0.0.1:"));
		});
	}

	@Test
	void startsThePlainServiceWithoutFiguresAndAlarms() {
		assertThat(
				this.file.get("services").entrySet().stream().filter((one) -> !one.getValue().containsKey("profiles")))
			.extracting(Map.Entry::getKey)
			.containsExactlyInAnyOrder("postgres", "agent-sessions");
	}

	/** So much a request that is under way may take, after the drain. */
	@Test
	void givesTheServiceTimeToEnd() throws IOException {
		String[] settings = Files.readString(Path.of("src/main/resources/application.yml")).split("\n---");
		Map<String, Map<String, Map<String, Object>>> defaults = new Yaml().load(settings[0]);
		assertThat(seconds(this.file.get("services").get("agent-sessions").get("stop_grace_period")))
			.isGreaterThan(seconds(defaults.get("spring").get("lifecycle").get("timeout-per-shutdown-phase")) + 1);
	}

	private static int seconds(Object text) {
		return Integer.parseInt(text.toString().replace("s", ""));
	}

	private Stream<Map<String, Object>> services() {
		return Objects.requireNonNull(this.file.get("services")).values().stream();
	}

}
