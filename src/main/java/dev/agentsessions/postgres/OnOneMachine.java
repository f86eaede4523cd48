package dev.agentsessions.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/**
 * A bean that is there if one machine has all tables. Where they are distributed, a bean
 * of {@code postgres.citus} takes its place.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "agent-sessions.distributed", havingValue = false, matchIfMissing = true)
public @interface OnOneMachine {

}
