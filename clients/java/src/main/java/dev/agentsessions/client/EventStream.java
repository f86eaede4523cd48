// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** Reads the server-sent events of one connection. */
final class EventStream implements AutoCloseable {

	/**
	 * Maximum silence in seconds. The service sends a message every 15 s, so a longer
	 * silence means that the connection is broken.
	 */
	private static final long LONGEST_SILENCE = 40;

	private final InputStream stream;

	private final BufferedReader lines;

	EventStream(InputStream stream) {
		this.stream = stream;
		this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
	}

	/**
	 * Waits for the next message.
	 * @return its fields; null when the stream has ended, is broken or was closed
	 */
	Map<String, String> next() {
		try {
			Map<String, String> message = new HashMap<>();
			for (String line = line(); line != null; line = line()) {
				if (line.isEmpty()) {
					return message;
				}
				String[] field = line.split(": ?", 2);
				message.put(field[0], field[field.length - 1]);
			}
		}
		catch (IOException ex) {
			// An incomplete message is ignored.
		}
		return null;
	}

	private String line() throws IOException {
		Disposable alarm = Schedulers.computation().scheduleDirect(this::close, LONGEST_SILENCE, TimeUnit.SECONDS);
		try {
			return this.lines.readLine();
		}
		finally {
			alarm.dispose();
		}
	}

	/** Ends the connection, even while a thread waits for a message. */
	@Override
	public void close() {
		try {
			this.stream.close();
		}
		catch (IOException ex) {
			// The connection is no longer needed.
		}
	}

}
