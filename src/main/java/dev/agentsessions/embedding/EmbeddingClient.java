package dev.agentsessions.embedding;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import dev.agentsessions.search.meaning.Embedder;
import dev.agentsessions.search.meaning.EmbeddingException;
import dev.agentsessions.search.meaning.Vector;

/** Gets vectors from the endpoint, and counts failures. */
class EmbeddingClient implements Embedder {

	/** Longer texts are cut, because models refuse them or cut them as well. */
	static final int MAX_CHARS = 4000;

	/** A text that every model accepts. */
	private static final String PROBE = "text";

	private final String model;

	private final EmbeddingEndpoint endpoint;

	private final Counter failedQueries;

	private final Counter failedTexts;

	EmbeddingClient(EmbeddingProperties properties, MeterRegistry registry) {
		String name = Objects.requireNonNull(properties.model());
		this.model = (properties.dimensions() != null) ? name + "/" + properties.dimensions() : name;
		this.endpoint = new EmbeddingEndpoint(properties);
		this.failedQueries = failures(registry, "query");
		this.failedTexts = failures(registry, "turns");
	}

	private static Counter failures(MeterRegistry registry, String of) {
		return Counter.builder("agentsessions.search.embedding.failures")
			.description("Requests for vectors that failed")
			.tag("of", of)
			.register(registry);
	}

	@Override
	public String model() {
		return this.model;
	}

	@Override
	public Optional<Vector> query(String text) {
		try {
			return Optional.of(this.endpoint.query(cut(text))).filter((vector) -> vector != Vector.NONE);
		}
		catch (EmbeddingException | EmbeddingEndpoint.Refused ex) {
			this.failedQueries.increment();
			return Optional.empty();
		}
	}

	@Override
	public List<Vector> texts(List<String> texts) {
		try {
			return embed(texts.stream().map(EmbeddingClient::cut).toList());
		}
		catch (EmbeddingException ex) {
			this.failedTexts.increment();
			throw ex;
		}
	}

	/**
	 * Finds the texts that are refused, and makes smaller requests if one is too large.
	 */
	private List<Vector> embed(List<String> texts) {
		try {
			return this.endpoint.texts(texts);
		}
		catch (EmbeddingEndpoint.Refused ex) {
			if (texts.size() == 1) {
				probe(ex);
				return List.of(Vector.NONE);
			}
			int half = texts.size() / 2;
			List<Vector> vectors = new ArrayList<>(embed(texts.subList(0, half)));
			vectors.addAll(embed(texts.subList(half, texts.size())));
			return vectors;
		}
	}

	/** A refusal is the fault of a text only if another text is accepted. */
	private void probe(EmbeddingEndpoint.Refused refusal) {
		try {
			this.endpoint.texts(List.of(PROBE));
		}
		catch (EmbeddingEndpoint.Refused ex) {
			throw new EmbeddingException(refusal.getMessage());
		}
	}

	private static String cut(String text) {
		if (text.length() <= MAX_CHARS) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS);
	}

}
