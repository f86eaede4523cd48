package dev.agentsessions.vertex;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.support.HttpTest;

/** Marks tests on a service that has every route of the dialect. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@HttpTest
@TestPropertySource(properties = "agent-sessions.vertex.token-endpoint=true")
@interface DocumentedService {

}
