package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The jars below a folder, compared with what the jar of the service says of them. */
final class PackagedLibraries {

	private static final String SERVICE = "agent-sessions.jar";

	private final Path service;

	private final List<Path> libraries;

	PackagedLibraries(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			Map<Boolean, List<Path>> jars = files.filter((file) -> file.toString().endsWith(".jar"))
				.collect(Collectors.partitioningBy((file) -> file.endsWith(SERVICE)));
			assertThat(jars.get(true)).hasSize(1);
			this.service = jars.get(true).get(0);
			this.libraries = jars.get(false)
				.stream()
				.filter((file) -> !isStarterOrTool(file.getFileName().toString()))
				.toList();
		}
	}

	/**
	 * Starters are jars without classes, which Spring Boot leaves out. It adds its own
	 * program that unpacks the jar.
	 */
	private static boolean isStarterOrTool(String name) {
		return name.startsWith("spring-boot-starter") || name.startsWith("spring-boot-jarmode-tools");
	}

	/**
	 * The SBOM lists these jars and no other, and the notice those that say nothing
	 * themselves.
	 */
	void check() throws IOException {
		try (ZipFile jar = new ZipFile(this.service.toFile())) {
			assertThat(text(jar, "META-INF/LICENSE")).isEqualTo(Files.readString(Path.of("LICENSE")));
			String notice = text(jar, "META-INF/NOTICE");
			assertThat(notice).isEqualTo(Files.readString(Path.of("NOTICE")));
			Map<String, JsonNode> listed = listed(text(jar, "META-INF/sbom/application.cdx.json"));
			assertThat(this.libraries).hasSizeGreaterThan(100)
				.map((library) -> library.getFileName().toString())
				.containsExactlyInAnyOrderElementsOf(listed.keySet());
			assertThat(withoutLicense(listed)).isNotEmpty().allSatisfy((name) -> assertThat(notice).contains(name));
		}
	}

	private static Map<String, JsonNode> listed(String sbom) {
		return JsonMapper.shared()
			.readTree(sbom)
			.get("components")
			.valueStream()
			.filter((component) -> !isStarterOrTool(component.get("name").stringValue()))
			.collect(Collectors.toMap((component) -> component.get("name").stringValue() + "-"
					+ component.get("version").stringValue() + ".jar", Function.identity()));
	}

	/** The Apache License is in the file LICENSE. */
	private List<String> withoutLicense(Map<String, JsonNode> listed) throws IOException {
		List<String> names = new ArrayList<>();
		for (Path library : this.libraries) {
			JsonNode component = listed.get(library.getFileName().toString());
			try (ZipFile jar = new ZipFile(library.toFile())) {
				boolean has = jar.stream().anyMatch((entry) -> entry.getName().matches("(?i)(.*/)?licen[sc]e[^/]*"));
				if (!has && !component.get("licenses").toString().contains("\"Apache-2.0\"")) {
					names.add(component.get("name").stringValue());
				}
			}
		}
		return names;
	}

	private static String text(ZipFile jar, String name) throws IOException {
		ZipEntry entry = jar.getEntry(name);
		assertThat(entry).as(name).isNotNull();
		return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
	}

}
