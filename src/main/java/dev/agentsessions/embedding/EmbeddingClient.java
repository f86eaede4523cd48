package dev.agentsessions.embedding;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import dev.agentsessions.embedding.EmbeddingConfiguration.EmbeddingProperties;
import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.Embedder.EmbeddingException;
import dev.agentsessions.search.Embedder.Vector;

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
			throw new EmbeddingException(String.valueOf(refusal.getMessage()));
		}
	}

	private static String cut(String text) {
		if (text.length() <= MAX_CHARS) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS);
	}

	/** The HTTP requests for vectors, as OpenAI has them. */
	private static class EmbeddingEndpoint {

		/** A search waits for the vector of its query at most this long. */
		private static final Duration QUERY_TIMEOUT = Duration.ofMillis(300);

		private static final Duration TEXTS_TIMEOUT = Duration.ofSeconds(30);

		/**
		 * A longer answer is a failure. 64 vectors of 3,072 dimensions have about 4 MB.
		 */
		static final int MAX_ANSWER_BYTES = 1 << 24;

		/** With these, the endpoint says that it does not accept the texts. */
		private static final Set<Integer> REFUSALS = Set.of(HttpStatus.BAD_REQUEST.value(),
				HttpStatus.CONTENT_TOO_LARGE.value(), HttpStatus.UNPROCESSABLE_CONTENT.value());

		private final EmbeddingProperties properties;

		private final RestClient forQuery;

		private final RestClient forTexts;

		EmbeddingEndpoint(EmbeddingProperties properties) {
			this.properties = properties;
			// Some servers drop the body of a request that offers HTTP/2
			HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
			this.forQuery = client(http, QUERY_TIMEOUT);
			this.forTexts = client(http, TEXTS_TIMEOUT);
		}

		private RestClient client(HttpClient http, Duration timeout) {
			JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(http);
			requests.setReadTimeout(timeout);
			return RestClient.builder().requestFactory(requests).build();
		}

		/**
		 * Returns the vector of a query.
		 * @throws EmbeddingException if it does not come in time
		 */
		Vector query(String text) {
			return request(this.forQuery, List.of(text)).get(0);
		}

		/**
		 * Returns the vectors of texts.
		 * @throws EmbeddingException if they do not come
		 */
		List<Vector> texts(List<String> texts) {
			return request(this.forTexts, texts);
		}

		private List<Vector> request(RestClient client, List<String> texts) {
			byte[] body = JsonMapper.shared()
				.writeValueAsString(
						new EmbeddingRequest(this.properties.model(), texts, this.properties.dimensions(), "float"))
				.getBytes(StandardCharsets.UTF_8);
			try {
				return client.post()
					.uri(Objects.requireNonNull(this.properties.url()))
					.contentType(MediaType.APPLICATION_JSON)
					.accept(MediaType.APPLICATION_JSON)
					.headers(this::authorize)
					.body(body)
					.exchangeForRequiredValue((request, response) -> vectors(response, texts.size()));
			}
			catch (RestClientException ex) {
				throw new EmbeddingException(ex.getMostSpecificCause().getClass().getSimpleName());
			}
		}

		private void authorize(HttpHeaders headers) {
			String key = this.properties.apiKey();
			if (StringUtils.hasText(key)) {
				headers.setBearerAuth(key);
			}
		}

		private static List<Vector> vectors(ClientHttpResponse response, int count) throws IOException {
			int status = response.getStatusCode().value();
			if (REFUSALS.contains(status)) {
				throw new Refused("status " + status);
			}
			if (status != HttpStatus.OK.value()) {
				throw new EmbeddingException("status " + status);
			}
			try (InputStream body = response.getBody()) {
				byte[] answer = body.readNBytes(MAX_ANSWER_BYTES + 1);
				if (answer.length > MAX_ANSWER_BYTES) {
					throw new EmbeddingException("an answer of more than " + MAX_ANSWER_BYTES + " bytes");
				}
				return JsonMapper.shared().readValue(answer, EmbeddingAnswer.class).vectors(count);
			}
			catch (JacksonException ex) {
				throw new EmbeddingException("an answer that is no list of embeddings");
			}
		}

		/** The endpoint does not accept the texts of a request. */
		static final class Refused extends RuntimeException {

			private static final long serialVersionUID = 1L;

			Refused(String message) {
				super(message);
			}

		}

		/**
		 * The body of a request for vectors.
		 *
		 * @param model the name of the model
		 * @param input the texts
		 * @param dimensions the number of dimensions; {@code null} if the model decides
		 * @param encodingFormat how the vectors are written
		 */
		@JsonInclude(JsonInclude.Include.NON_NULL)
		private record EmbeddingRequest(@Nullable String model, List<String> input, @Nullable Integer dimensions,
				@JsonProperty("encoding_format") String encodingFormat) {
		}

		/**
		 * The body of an answer with vectors.
		 *
		 * @param data the vectors
		 */
		private record EmbeddingAnswer(@Nullable List<Item> data) {

			/**
			 * Returns the vectors in the order of their texts.
			 * @throws EmbeddingException unless there is one for each text
			 */
			List<Vector> vectors(int count) {
				Vector[] vectors = new Vector[count];
				for (Item item : (this.data != null) ? this.data : List.<Item>of()) {
					if (item.index != null && item.index >= 0 && item.index < count && item.embedding != null) {
						vectors[item.index] = Vector.of(item.embedding);
					}
				}
				if (Arrays.stream(vectors).anyMatch(Objects::isNull)) {
					throw new EmbeddingException("an answer without a vector for each text");
				}
				return List.of(vectors);
			}

			/**
			 * The vector of a text.
			 *
			 * @param index the number of the text, from 0
			 * @param embedding the components
			 */
			record Item(@Nullable Integer index, float @Nullable [] embedding) {

			}

		}

	}

}
