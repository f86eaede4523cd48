package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands as a reader of the README does, one after the other in one shell. */
public final class Bash {

	private static final String END = "--- end of the commands ---";

	/** The one package that a reader needs stays in the build's folder. */
	private static final String PREPARATION = """
			export PYTHONPATH=target/python-packages
			python3 -c 'import requests' || python3 -m pip install --quiet --target $PYTHONPATH requests
			""";

	private Bash() {
	}

	/**
	 * Runs blocks of commands.
	 * @return what each of them prints, standard error included
	 */
	public static List<String> run(List<String> blocks, Map<String, String> environment) throws IOException {
		String separator = "\necho '" + END + "'\n";
		ProcessBuilder bash = new ProcessBuilder("bash", "-c",
				(needPython(blocks) ? PREPARATION : "") + separator + String.join(separator, blocks));
		bash.environment().putAll(environment);
		bash.environment().merge("PATH", javaCommands(), (path, java) -> java + File.pathSeparator + path);
		Process process = bash.redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replace("\r\n",
				"\n");
		List<String> printed = List.of(output.split(END + "\n", -1));
		assertThat(printed).as(output).hasSize(blocks.size() + 1);
		return printed.subList(1, printed.size());
	}

	private static boolean needPython(List<String> blocks) {
		return blocks.stream().anyMatch((block) -> block.contains("python"));
	}

	private static String javaCommands() {
		return Path.of(System.getProperty("java.home"), "bin").toString();
	}

}
