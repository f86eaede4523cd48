package dev.agentsessions.faults;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.agentsessions.embedded.ServiceProcess;

/** Nothing acknowledged is lost and nothing is doubled, whatever dies. */
@Tag("slow")
class KillTests {

	/** A soak is mvn test -Dtest=KillTests -Dfaults.rounds=50. */
	private static final int ROUNDS = Integer.getInteger("faults.rounds", 2);

	private static final int EVENTS = 20;

	@TempDir
	private Path folder;

	@Test
	void losesAndDoublesNothingWhenTheServiceAndItsDatabaseAreKilled() {
		ServiceProcess service = ServiceProcess.start(this.folder);
		try {
			Load load = Load.start(service.http());
			for (int round = 0; round < ROUNDS; round++) {
				load.awaitProgress(EVENTS);
				kill(service, round);
				service = ServiceProcess.start(this.folder);
				load.moveTo(service.http());
			}
			load.awaitProgress(EVENTS);
			load.stopAndCompare();
		}
		finally {
			service.close();
		}
	}

	private static void kill(ServiceProcess service, int round) {
		if (round % 2 == 0) {
			ServiceProcess.kill(service.database());
		}
		service.kill();
	}

}
