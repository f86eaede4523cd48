package dev.agentsessions.session.heap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.heap.ResponseHeap.TranslationCost;

class TranslationCostTests {

	@Test
	void countsCharactersAndValuesButNotTheSignsOfTexts() {
		String json = "{\"a\":\"one, \\\"two: [three\\\\\",\"b\":[1,2]}";
		assertThat(new TranslationCost(1, 0).of(json)).isEqualTo(json.length());
		assertThat(new TranslationCost(0, 1).of(json)).isEqualTo(6);
		assertThat(TranslationCost.NONE.of(json)).isZero();
	}

}
