package dev.agentsessions.embedded;

import java.nio.file.Path;

/** Another running service uses the same data folder. */
class DataDirectoryInUseException extends RuntimeException {

	DataDirectoryInUseException(Path dataDirectory) {
		super("The folder " + dataDirectory + " is in use by another running service");
	}

}
