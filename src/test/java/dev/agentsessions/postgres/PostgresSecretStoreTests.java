package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.session.SecretStore;

/** Secrets that all replicas share. */
@PostgresTest
class PostgresSecretStoreTests {

	@Autowired
	private SecretStore secrets;

	@Test
	void concurrentReadersGetSameSecret() throws Exception {
		String name = UUID.randomUUID().toString();
		List<String> found = Concurrently.run(8, (number) -> secret(name));
		assertThat(found).allMatch((secret) -> secret.equals(secret(name)));
	}

	@Test
	void secretsHave32BytesAndDiffer() {
		String secret = secret(UUID.randomUUID().toString());
		assertThat(secret).hasSize(64).isNotEqualTo(secret(UUID.randomUUID().toString()));
	}

	private String secret(String name) {
		return HexFormat.of().formatHex(this.secrets.secret(name));
	}

}
