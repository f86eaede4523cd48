package dev.agentsessions.postgres.servers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

import dev.agentsessions.postgres.servers.OnSeveralServers.NamesServers;

/** A bean that is there if the settings name servers besides the main one. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(NamesServers.class)
@interface OnSeveralServers {

	/** Whether there are settings of a further server. */
	class NamesServers implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("agent-sessions.servers", Bindable.mapOf(String.class, Object.class))
				.map((servers) -> !Map.of().equals(servers))
				.orElse(false);
		}

	}

}
