package dev.agentsessions.startup;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import org.hibernate.validator.constraints.time.DurationMin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.thread.Threading;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;

/**
 * Ends the process if its virtual threads stand still: each carrier waits for a lock, and
 * the owner of the lock waits for a carrier. Nothing in the JVM resolves that. Requests
 * of health checks need a virtual thread as well, so only this platform thread notices.
 */
@Component
@ConditionalOnThreading(Threading.VIRTUAL)
class Watchdog extends Thread implements InitializingBean, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(Watchdog.class);

	/**
	 * The time-out consists of this many waits. While the whole process is stopped (by a
	 * signal, by its container or by the garbage collector), at most one of them ends.
	 */
	private static final int WAITS = 10;

	/**
	 * A process that has used more than one part in this number of the time-out as
	 * processor time computes: virtual threads wait for their turn then.
	 */
	private static final int BUSY_SHARE = 5;

	private static final int EXIT_CODE = 70;

	private static final int LOG_MILLIS = 5000;

	private final WatchdogProperties properties;

	private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private final VirtualThreadTaskExecutor virtualThreads = new VirtualThreadTaskExecutor("watchdog-");

	Watchdog(WatchdogProperties properties) {
		super("watchdog");
		setDaemon(true);
		this.properties = properties;
	}

	@Override
	public void afterPropertiesSet() {
		if (!this.properties.hangTimeout().isZero()) {
			start();
		}
	}

	@Override
	public void destroy() {
		interrupt();
	}

	@Override
	public void run() {
		long wait = Math.max(1, this.properties.hangTimeout().toMillis() / WAITS);
		try {
			while (makesProgress(wait)) {
				sleep(wait);
			}
			end();
		}
		catch (InterruptedException ex) {
			logger.debug("The service stops");
		}
	}

	private boolean makesProgress(long wait) throws InterruptedException {
		CountDownLatch progress = new CountDownLatch(1);
		long cpuTime = this.system.getProcessCpuTime();
		this.virtualThreads.execute(progress::countDown);
		for (int i = 0; i < WAITS; i++) {
			if (progress.await(wait, TimeUnit.MILLISECONDS)) {
				return true;
			}
		}
		long usedMillis = TimeUnit.NANOSECONDS.toMillis(this.system.getProcessCpuTime() - cpuTime);
		return usedMillis > this.properties.hangTimeout().toMillis() / BUSY_SHARE;
	}

	/**
	 * Does not wait long for the log, because a virtual thread may own its lock. Runs no
	 * shutdown hooks, because they wait for requests.
	 */
	private void end() throws InterruptedException {
		Thread log = new Thread(
				() -> logger.error("No virtual thread has run for {} s, so the service no longer answers. It ends",
						this.properties.hangTimeout().toSeconds()));
		log.setDaemon(true);
		log.start();
		log.join(LOG_MILLIS);
		Runtime.getRuntime().halt(EXIT_CODE);
	}

	/**
	 * Settings of the watchdog.
	 *
	 * @param hangTimeout the time without progress of any virtual thread after which the
	 * process ends; zero for never
	 */
	@Validated
	@ConfigurationProperties("agent-sessions")
	record WatchdogProperties(@DefaultValue("60s") @DurationMin Duration hangTimeout) {

	}

}
