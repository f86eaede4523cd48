package dev.agentsessions.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.report.Usage.PriceProperties;
import dev.agentsessions.session.report.Usage.PriceProperties.Price;
import dev.agentsessions.session.report.Usage.Tokens;

/** Which price a model has by its name. */
class PricePropertiesTests {

	private static final int MILLION = 1_000_000;

	private final PriceProperties prices = new PriceProperties(
			List.of(price("flash", 1), price("flash-lite", 2), price("gateway/flash", 3)));

	@ParameterizedTest
	@CsvSource(nullValues = "none",
			value = { "flash, 1", "flash-001, 1", "flash-lite-001, 2", "models/flash-lite, 2",
					"projects/p/publishers/google/models/flash, 1", "gateway/flash-lite, 3", "other/gateway/flash, 1",
					"pro, none", "models/pro, none", "flash/pro, 1", "none, none" })
	void isThatOfTheLongestBeginning(String model, BigDecimal cost) {
		BigDecimal found = this.prices.cost(model, new Tokens(MILLION, 0, 0, 0, 0, 0, MILLION));
		assertThat((found != null) ? found.stripTrailingZeros() : null).isEqualTo(cost);
	}

	/** 500,000 anew at 1, 300,000 from a cache at 0.1, and 200,000 to a cache at 2. */
	@ParameterizedTest
	@CsvSource({ "cacheCreationTokenCount, 2, 0.93", "cache_creation_input_tokens, 2, 0.93",
			"cacheCreationInputTokens, , 0.73", "other, 2, 0.73" })
	void hasAPriceOfItsOwnForWhatIsWrittenToACache(String field, @Nullable BigDecimal written, BigDecimal cost) {
		PriceProperties withCache = new PriceProperties(
				List.of(new Price("m", BigDecimal.ONE, new BigDecimal("0.1"), written, BigDecimal.TEN)));
		Tokens tokens = UsageMetadata
			.of(new JsonText(
					"{\"promptTokenCount\":1000000,\"cachedContentTokenCount\":300000,\"" + field + "\":200000}"))
			.tokens();
		assertThat(withCache.cost("m", tokens)).isEqualByComparingTo(cost);
	}

	private static Price price(String model, int input) {
		return new Price(model, BigDecimal.valueOf(input), null, null, BigDecimal.ZERO);
	}

}
