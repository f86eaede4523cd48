package dev.agentsessions.support;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.Extension;

/**
 * Lets tests wait for minutes, not for the ten seconds of Awaitility: a machine that has
 * other work is no fault of the service.
 */
public class PatienceExtension implements Extension {

	public PatienceExtension() {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
	}

}
