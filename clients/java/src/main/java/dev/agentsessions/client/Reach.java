// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import com.google.common.base.Throwables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address of the service, and whether the client can connect to it. */
final class Reach {

	private static final Logger LOGGER = LoggerFactory.getLogger(AgentSessionService.class);

	private final String address;

	/** Whether the last attempt to connect failed. */
	private final AtomicBoolean away = new AtomicBoolean();

	/**
	 * Sets the address of the service.
	 * @throws AgentSessionsException if the address does not have a host or does not
	 * begin with http:// or https://
	 */
	Reach(String url) {
		try {
			URI uri = URI.create(url);
			if (!Set.of("http", "https").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
				throw new IllegalArgumentException("No scheme or no host");
			}
			// Leaves out the parts that may contain a secret.
			String host = uri.getHost() + ((uri.getPort() < 0) ? "" : ":" + uri.getPort());
			this.address = (uri.getScheme() + "://" + host + uri.getRawPath()).replaceAll("/+$", "");
		}
		catch (IllegalArgumentException ex) {
			throw new AgentSessionsException("INVALID_ARGUMENT",
					"The address of the service has to begin with http:// or https://: '" + url + "'", ex);
		}
	}

	/** Returns the address of the service, without a slash at the end. */
	String address() {
		return this.address;
	}

	/** Records a response of the service: the client logs the next failure again. */
	void answered() {
		this.away.set(false);
	}

	/**
	 * Returns the error of a request without a response. Logs the first failure to
	 * connect.
	 * @param patience how long the client retries while it cannot connect
	 * @throws AgentSessionsException if a retry cannot help
	 */
	AgentSessionsException failed(IOException ex, Duration patience) {
		List<Throwable> causes = Throwables.getCausalChain(ex);
		String reason = causes.stream().map(Throwable::getMessage).filter((text) -> text != null).findFirst()
			.orElseGet(() -> causes.get(causes.size() - 1).getClass().getSimpleName());
		if (lasts(causes)) {
			throw unavailable(this.address + " cannot be reached: " + reason, ex);
		}
		if (!isUnconnected(ex)) {
			return unavailable("No answer from " + this.address + ": " + reason, ex);
		}
		String waiting = BigDecimal.valueOf(patience.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
		if (!this.away.getAndSet(true)) {
			LOGGER.warn("Agent Sessions at {} cannot be reached, requests are sent again for {}: {}", this.address, waiting,
					reason);
		}
		return unavailable(this.address + " could not be reached for " + waiting + ": " + reason, ex);
	}

	/** Whether the client could not connect, so that it sent nothing. */
	static boolean isUnconnected(IOException ex) {
		return ex instanceof ConnectException || ex instanceof HttpConnectTimeoutException;
	}

	/**
	 * Whether the error is permanent: the host does not exist, its certificate is not
	 * trusted, or it uses another protocol.
	 */
	private static boolean lasts(List<Throwable> causes) {
		return isAny(causes, UnresolvedAddressException.class)
				|| isAny(causes, SSLException.class) && !isAny(causes, EOFException.class, SocketException.class)
				|| causes.stream().anyMatch((cause) -> String.valueOf(cause.getMessage()).contains("status line"));
	}

	private static boolean isAny(List<Throwable> causes, Class<?>... types) {
		return causes.stream().anyMatch((cause) -> Stream.of(types).anyMatch((type) -> type.isInstance(cause)));
	}

	private static AgentSessionsException unavailable(String message, IOException ex) {
		return new AgentSessionsException("UNAVAILABLE", message, ex);
	}

}
