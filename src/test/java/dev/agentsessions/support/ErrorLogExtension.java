package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Fails a test during which the service logs at level ERROR, unless the test is marked
 * with {@link LogsErrors}.
 */
public class ErrorLogExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

	private static final Errors ERRORS = new Errors();

	/**
	 * Spring Boot removes appenders when it starts, so the appender is added again. When
	 * a context ends, Spring Boot removes the bridge from the logging of Tomcat, which
	 * the other contexts of the JVM still need. Without the bridge, Tomcat would log to
	 * the console with whole stack traces.
	 */
	@Override
	public void beforeTestExecution(ExtensionContext test) {
		LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
		Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		if (!root.isAttached(ERRORS)) {
			ERRORS.setContext(context);
			ERRORS.start();
			root.addAppender(ERRORS);
		}
		if (!SLF4JBridgeHandler.isInstalled()) {
			SLF4JBridgeHandler.removeHandlersForRootLogger();
			SLF4JBridgeHandler.install();
		}
		ERRORS.messages.clear();
	}

	@Override
	public void afterTestExecution(ExtensionContext test) {
		List<String> messages = List.copyOf(ERRORS.messages);
		if (!isMarked(test)) {
			assertThat(messages).as("messages at level ERROR in a test without @LogsErrors").isEmpty();
		}
	}

	private static boolean isMarked(ExtensionContext test) {
		return AnnotationSupport.isAnnotated(test.getElement(), LogsErrors.class)
				|| AnnotationSupport.isAnnotated(test.getTestClass(), LogsErrors.class);
	}

	/** Collects what any thread of the service logs at level ERROR. */
	private static final class Errors extends AppenderBase<ILoggingEvent> {

		private final List<String> messages = new CopyOnWriteArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
				this.messages.add(event.getLoggerName() + ": " + event.getFormattedMessage());
			}
		}

	}

}
