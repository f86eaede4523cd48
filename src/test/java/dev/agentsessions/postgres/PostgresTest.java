package dev.agentsessions.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import dev.agentsessions.session.contract.Stores;

/**
 * A test on the store of the whole program, without its web server. All of them share one
 * PostgreSQL, so each test keeps to sessions of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = "agent-sessions.embedded.keep-data=false")
@Import({ StatementRecorder.class, Stores.class })
public @interface PostgresTest {

}
