package dev.agentsessions.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.LoggerFactory;

/**
 * Switches a logger on, at level INFO, that is off in tests that do not read its
 * messages.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ReadsLog.SwitchedOn.class)
public @interface ReadsLog {

	/** The log of requests. */
	String REQUESTS = "dev.agentsessions.security.RequestLog";

	/** The name of the logger. */
	String value() default REQUESTS;

	/** Switches the logger on for each test. */
	class SwitchedOn implements BeforeEachCallback, AfterEachCallback {

		@Override
		public void beforeEach(ExtensionContext test) {
			logger(test).setLevel(Level.INFO);
		}

		@Override
		public void afterEach(ExtensionContext test) {
			logger(test).setLevel(Level.OFF);
		}

		private static Logger logger(ExtensionContext test) {
			String name = Stream.of(test.getElement(), test.getTestClass())
				.flatMap((element) -> AnnotationSupport.findAnnotation(element, ReadsLog.class).stream())
				.findFirst()
				.orElseThrow()
				.value();
			return (Logger) LoggerFactory.getLogger(name);
		}

	}

}
