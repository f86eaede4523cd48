package dev.agentsessions.embedding;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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

import dev.agentsessions.search.meaning.EmbeddingException;
import dev.agentsessions.search.meaning.Vector;

/** The HTTP requests for vectors, as OpenAI has them. */
class EmbeddingEndpoint {

	/** A search waits for the vector of its query at most this long. */
	private static final Duration QUERY_TIMEOUT = Duration.ofMillis(300);

	private static final Duration TEXTS_TIMEOUT = Duration.ofSeconds(30);

	/** A longer answer is a failure. 64 vectors of 3,072 dimensions have about 4 MB. */
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
			.writeValueAsString(EmbeddingRequest.of(this.properties, texts))
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

		@Override
		public String getMessage() {
			return Objects.requireNonNull(super.getMessage());
		}

	}

}
