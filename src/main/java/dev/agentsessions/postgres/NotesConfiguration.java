package dev.agentsessions.postgres;

import java.time.Duration;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Has noted from time to time what older versions of the service have stored. */
@Configuration(proxyBeanMethods = false)
class NotesConfiguration implements SchedulingConfigurer {

	private static final Duration FIRST = Duration.ofMinutes(1);

	private static final Duration NEXT = Duration.ofHours(1);

	private final NotesCatchUp catchUp;

	NotesConfiguration(NotesCatchUp catchUp) {
		this.catchUp = catchUp;
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar tasks) {
		tasks.addFixedDelayTask(new FixedDelayTask(this.catchUp, NEXT, FIRST));
	}

}
