package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.RequestHeapFilter.BodyLimits;

/** Which body is too large for which path. */
class BodyLimitsTests {

	private static final long MEMORY = Runtime.getRuntime().maxMemory();

	@Test
	void letsADialectHaveLargerBodiesThanOthers() {
		BodyLimits limits = limits(1000, 2000);

		assertThat(limits.of(post("/large/x"))).isEqualTo(new BodyLimit(2000, "larger"));
		assertThat(limits.of(post("/x/large/x"))).isEqualTo(new BodyLimit(1000, "agent-sessions.max-body-size"));
	}

	@Test
	void letsNoBodyInThatTheMemoryIsNotEnoughFor() {
		BodyLimit limit = limits(1000, Math.min(MEMORY, DataSize.ofGigabytes(1).toBytes())).of(post("/large/x"));

		assertThat(limit.bytes()).isLessThanOrEqualTo(MEMORY / 10);
	}

	@Test
	void takesTheLimitForAllAsItIs() {
		long limit = DataSize.ofGigabytes(1).toBytes();

		assertThat(limits(limit, limit).of(post("/x")).bytes()).isEqualTo(limit);
		assertThat(limits(limit, limit).totalBytes()).isGreaterThanOrEqualTo(limit);
	}

	private static BodyLimits limits(long usual, long larger) {
		HttpProperties properties = new HttpProperties(DataSize.ofBytes(usual), Duration.ofSeconds(1), Duration.ZERO, 1,
				1);
		List<ApiDialect> dialects = List.of(new Paths("/large/", new BodyLimit(larger, "larger")),
				new Paths("/", null));
		return new BodyLimits(properties, new ApiDialects(dialects));
	}

	private static MockHttpServletRequest post(String path) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
		request.setServletPath(path);
		return request;
	}

	/** A dialect that is known by how its paths begin. */
	private record Paths(String beginning, @Nullable BodyLimit limit) implements ApiDialect {

		@Override
		public TranslationCost translationCost() {
			return TranslationCost.NONE;
		}

		@Override
		public boolean owns(String path) {
			return path.startsWith(this.beginning);
		}

		@Override
		public Optional<String> appName(String path) {
			return Optional.empty();
		}

		@Override
		public List<String> publicPaths() {
			return List.of();
		}

		@Override
		public BodyLimit bodyLimit(BodyLimit usual) {
			return (this.limit != null) ? this.limit : usual;
		}

		@Override
		public MediaType errorType() {
			return MediaType.APPLICATION_JSON;
		}

		@Override
		public Object error(HttpStatusCode status, String detail, String requestId) {
			return detail;
		}

	}

}
