package dev.agentsessions.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.jdbc.SQLWarningException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Counts what statements return, as part of the response, while their rows are read. So a
 * new statement is counted without any code of its own, and a read ends with
 * {@link SessionException.Unavailable} when there is no memory for further rows. Not
 * counted are rows that {@link HeapBoundedReads} counts, and rows that are fetched in
 * parts.
 *
 * <p>
 * It also fails if a commit is not sure. When a statement is cancelled while its commit
 * waits for a synchronous replica, PostgreSQL ends the wait, reports success, and adds a
 * warning.
 */
@Component
public class CountingJdbcTemplate extends JdbcTemplate {

	/** Where PostgreSQL waits for replicas. Unlike messages, this is not translated. */
	private static final String WAIT_FOR_REPLICA = "SyncRepWaitForLSN";

	/** The memory of a row besides its texts, in bytes. */
	private static final int ROW_BYTES = 64;

	private static final ThreadLocal<Boolean> countedElsewhere = ThreadLocal.withInitial(() -> false);

	private final ResponseHeap memory;

	CountingJdbcTemplate(DataSource dataSource, DatabaseTimeouts timeouts, ResponseHeap memory) {
		super(dataSource);
		setQueryTimeout(Math.toIntExact(timeouts.duration().toSeconds()));
		setIgnoreWarnings(false);
		this.memory = memory;
	}

	/** Reads rows that the caller counts itself. */
	public static <T> T uncounted(Supplier<T> read) {
		boolean outer = countedElsewhere.get();
		countedElsewhere.set(true);
		try {
			return read.get();
		}
		finally {
			countedElsewhere.set(outer);
		}
	}

	@Override
	public <T extends @Nullable Object> T query(PreparedStatementCreator statement,
			@Nullable PreparedStatementSetter setter, ResultSetExtractor<T> extractor) {
		return super.query(statement, setter, counting(extractor));
	}

	@Override
	public <T extends @Nullable Object> T query(String sql, ResultSetExtractor<T> extractor) {
		return super.query(sql, counting(extractor));
	}

	private <T extends @Nullable Object> ResultSetExtractor<T> counting(ResultSetExtractor<T> extractor) {
		boolean isCounted = this.memory.isCounting() && !countedElsewhere.get();
		return isCounted ? (rows) -> extractor.extractData((rows.getFetchSize() > 0) ? rows : counted(rows))
				: extractor;
	}

	private ResultSet counted(ResultSet rows) throws SQLException {
		return (ResultSet) Proxy.newProxyInstance(ResultSet.class.getClassLoader(), new Class<?>[] { ResultSet.class },
				new Counter(rows));
	}

	/**
	 * @throws SQLWarningException if the write is committed, but a replica may not have
	 * it
	 */
	@Override
	protected void handleWarnings(@Nullable SQLWarning first) {
		for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
			if (warning instanceof PSQLWarning ofServer && isNotSure(ofServer.getServerErrorMessage())) {
				throw new SQLWarningException("No synchronous replica has confirmed the write", warning);
			}
		}
	}

	private static boolean isNotSure(@Nullable ServerErrorMessage message) {
		return message != null && WAIT_FOR_REPLICA.equals(message.getRoutine());
	}

	/** Counts the values that are read, each time when they are many. */
	private final class Counter implements InvocationHandler {

		private final ResultSet rows;

		private long uncounted;

		private Counter(ResultSet rows) {
			this.rows = rows;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
			try {
				Object value = method.invoke(this.rows, arguments);
				count(value, method);
				return value;
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private void count(@Nullable Object value, Method method) {
			if (value instanceof String text) {
				this.uncounted += text.length();
				// The statement has a connection, which others wait for
				CountingJdbcTemplate.this.memory.takeTranslation(text, 0);
			}
			else if (value instanceof byte[] bytes) {
				this.uncounted += bytes.length;
			}
			else if (method.getName().equals("next")) {
				this.uncounted += ROW_BYTES;
			}
			if (this.uncounted > ResponseHeap.MAX_UNCOUNTED_BYTES) {
				CountingJdbcTemplate.this.memory.count(this.uncounted);
				this.uncounted = 0;
			}
		}

	}

}
