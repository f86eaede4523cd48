package dev.agentsessions.postgres.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import org.springframework.jdbc.core.JdbcTemplate;

/** What must be true of the tables of artifacts at every moment, and after a sweep. */
public final class ArtifactTables {

	private static final String VERSIONS_WITHOUT_BYTES = """
			select count(*) from artifact_versions as version
			where (blob_key is not null or kind < 2 and mime_type is distinct from 'application/octet-stream') and not exists (
			  select from artifact_blobs as blob
			  where blob.user_key = version.user_key and blob.blob_key = version.blob_key
			    and blob.digest = (
			      select sha256(string_agg(bytes, '' order by number)) from artifact_chunks as chunk
			      where chunk.user_key = blob.user_key and chunk.blob_key = blob.blob_key))
			""";

	private static final String WITHOUT_NAME = """
			select count(*) from artifact_versions as version where not exists (
			  select from artifacts as artifact where artifact.user_key = version.user_key
			    and artifact.scope_key = version.scope_key and artifact.name = version.name and next_version > version)
			""";

	private static final String OF_NO_SESSION = """
			select count(*) from %s where scope_key <> user_key
			  and not exists (select from sessions where session_key = scope_key)
			  and not exists (select from keys_to_sweep where session_key = scope_key)
			""";

	private static final String UNUSED_BLOBS = """
			select count(*) from artifact_blobs as blob where not exists (
			  select from artifact_versions as version
			  where version.user_key = blob.user_key and version.blob_key = blob.blob_key)
			""";

	private static final String UNUSED_CHUNKS = """
			select count(*) from artifact_chunks as chunk where not exists (
			  select from artifact_blobs as blob where blob.user_key = chunk.user_key and blob.blob_key = chunk.blob_key)
			""";

	private ArtifactTables() {
	}

	/**
	 * No version is without its bytes or its name, and no name is without its session.
	 */
	public static void assertWhole(JdbcTemplate jdbc, String where) {
		assertNone(jdbc, VERSIONS_WITHOUT_BYTES, where + ": versions without bytes");
		assertNone(jdbc, WITHOUT_NAME, where + ": versions without a name");
		assertNone(jdbc, OF_NO_SESSION.formatted("artifacts"), where + ": names of no session");
		assertNone(jdbc, OF_NO_SESSION.formatted("artifact_versions"), where + ": versions of no session");
	}

	/** And no bytes are without a version. */
	public static void assertSwept(JdbcTemplate jdbc, String where) {
		assertWhole(jdbc, where);
		assertNone(jdbc, UNUSED_BLOBS, where + ": blobs without a version");
		assertNone(jdbc, UNUSED_CHUNKS, where + ": chunks without a blob");
	}

	private static void assertNone(JdbcTemplate jdbc, String sql, String what) {
		assertThat(jdbc.queryForObject(sql, Long.class)).as(what).isZero();
	}

}
