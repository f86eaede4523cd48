package dev.agentsessions.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestConstructor;

import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.support.MigratedDatabase;

/**
 * A test on the store of the whole program, without its web server. All of them share one
 * database, so each test keeps to sessions of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ContextConfiguration(initializers = MigratedDatabase.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@Import({ StatementRecorder.class, Stores.class })
public @interface PostgresTest {

}
