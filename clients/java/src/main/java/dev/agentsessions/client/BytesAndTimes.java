// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Base64;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Converts bytes and durations between Java and what the ADKs in all languages write, in
 * any field.
 */
final class BytesAndTimes extends SimpleModule {

	private static final long serialVersionUID = 1;

	BytesAndTimes() {
		addDeserializer(byte[].class, new Bytes());
		addDeserializer(Duration.class, new Seconds());
		addSerializer(Duration.class, new SecondsWriter());
	}

	/** Reads Base64 of both alphabets, with or without padding. */
	private static final class Bytes extends StdScalarDeserializer<byte[]> {

		private static final long serialVersionUID = 1;

		Bytes() {
			super(byte[].class);
		}

		@Override
		public byte[] deserialize(JsonParser parser, DeserializationContext context) throws IOException {
			String text = parser.getText();
			try {
				return Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
			}
			catch (IllegalArgumentException ex) {
				throw context.weirdStringException(text, byte[].class, "no Base64");
			}
		}

	}

	/**
	 * Reads {@code "2.5s"}, as in the JSON of Protocol Buffers, or a number of seconds,
	 * as Jackson writes it.
	 */
	private static final class Seconds extends StdScalarDeserializer<Duration> {

		private static final long serialVersionUID = 1;

		Seconds() {
			super(Duration.class);
		}

		@Override
		public Duration deserialize(JsonParser parser, DeserializationContext context) throws IOException {
			String text = parser.getText();
			try {
				BigDecimal nanos = new BigDecimal(text.replaceFirst("s$", "")).movePointRight(9);
				return Duration.ofNanos(nanos.longValue());
			}
			catch (NumberFormatException ex) {
				throw context.weirdStringException(text, Duration.class, "no duration");
			}
		}

	}

	private static final class SecondsWriter extends StdScalarSerializer<Duration> {

		private static final long serialVersionUID = 1;

		SecondsWriter() {
			super(Duration.class);
		}

		@Override
		public void serialize(Duration value, JsonGenerator json, SerializerProvider context) throws IOException {
			BigDecimal seconds = BigDecimal.valueOf(value.getSeconds()).add(BigDecimal.valueOf(value.getNano(), 9));
			json.writeString(seconds.stripTrailingZeros().toPlainString() + "s");
		}

	}

}
