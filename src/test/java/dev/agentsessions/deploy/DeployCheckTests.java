package dev.agentsessions.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The chart and the other files are checked with the programs that are installed. */
@Tag("slow")
class DeployCheckTests {

	@Test
	void findsNothingWrong() throws IOException, InterruptedException {
		Process check = new ProcessBuilder("bash", "deploy/check").redirectErrorStream(true).start();
		String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		System.out.print(said);
		assertThat(check.waitFor()).as(said).isZero();
		assertThat(said.lines()).hasSizeGreaterThanOrEqualTo(4);
	}

}
