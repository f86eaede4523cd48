package dev.agentsessions.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Marks tests that read the log of requests, which is off in other tests. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ReadsRequestLog.SwitchedOn.class)
public @interface ReadsRequestLog {

	/** Switches the log of requests on for each test. */
	class SwitchedOn implements BeforeEachCallback, AfterEachCallback {

		private static final String LOGGER = "dev.agentsessions.security.RequestLog";

		@Override
		public void beforeEach(ExtensionContext test) {
			((Logger) LoggerFactory.getLogger(LOGGER)).setLevel(Level.INFO);
		}

		@Override
		public void afterEach(ExtensionContext test) {
			((Logger) LoggerFactory.getLogger(LOGGER)).setLevel(Level.OFF);
		}

	}

}
