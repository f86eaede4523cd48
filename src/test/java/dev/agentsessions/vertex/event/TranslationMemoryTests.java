package dev.agentsessions.vertex.event;

import java.io.Writer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.support.LargeEvents;
import dev.agentsessions.vertex.event.WireEvents.ApiVersion;
import dev.agentsessions.vertex.event.WireEvents.ClientLibrary;

/** An event of the protocol needs no more memory than the dialect says. */
class TranslationMemoryTests {

	@ParameterizedTest
	@CsvSource({ "V1, google-genai-sdk/1.0", "V1BETA1, google-genai-sdk/1.0",
			"V1BETA1, google-genai-sdk/0.1.0 gl-java/17", "V1, google-genai-sdk/0.1.0 gl-java/17" })
	void isWhatTheDialectSays(ApiVersion version, String userAgent) {
		LargeEvents.assertAllocatesAtMost(WireEvents.COST,
				(event) -> WireEvents.fromStored(event, "name", new ClientLibrary(userAgent), version)
					.writeTo(Writer.nullWriter()));
	}

}
