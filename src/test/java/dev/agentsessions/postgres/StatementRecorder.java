package dev.agentsessions.postgres;

import java.lang.reflect.InvocationTargetException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.proxy.ParameterSetOperation;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Writes down the statements that really go to the database. */
public class StatementRecorder implements BeanPostProcessor, QueryExecutionListener {

	private static final AtomicReference<@Nullable List<Recorded>> recorded = new AtomicReference<>();

	private static final AtomicReference<@Nullable Consumer<String>> before = new AtomicReference<>();

	/**
	 * The statements that an action executes, on whatever thread; nobody else may be at
	 * work, but the service itself: what it does from time to time does not count.
	 */
	public static List<Recorded> record(Runnable action) {
		List<Recorded> statements = start();
		try {
			action.run();
		}
		finally {
			stop();
		}
		return statements;
	}

	/** Returns a list that gets all statements from now on. */
	static List<Recorded> start() {
		List<Recorded> statements = new CopyOnWriteArrayList<>();
		recorded.set(statements);
		return statements;
	}

	static void stop() {
		recorded.set(null);
	}

	/**
	 * Does something before each statement that an action executes but commits, on the
	 * thread that executes it; what the service does from time to time does not count.
	 */
	public static <T> T callBeforeEach(Runnable task, Supplier<T> action) {
		return callBeforeEach((sql) -> task.run(), action);
	}

	/**
	 * Does something before each statement of an action that touches rows. Before a
	 * statement that sets an option there is nothing to interrupt: a transaction sees and
	 * locks nothing until its first query.
	 */
	static <T> T callBeforeEachThatTouchesRows(Runnable task, Supplier<T> action) {
		return callBeforeEach((sql) -> {
			if (!Recorded.isControl(sql)) {
				task.run();
			}
		}, action);
	}

	private static <T> T callBeforeEach(Consumer<String> task, Supplier<T> action) {
		before.set(task);
		try {
			return action.get();
		}
		finally {
			before.set(null);
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DataSource dataSource)
				? ProxyDataSourceBuilder.create(dataSource).listener(this).build() : bean;
	}

	@Override
	public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {
		if (Thread.currentThread().getName().startsWith("scheduling-")) {
			return;
		}
		List<Recorded> statements = recorded.get();
		if (statements != null) {
			queries.forEach((query) -> statements
				.add(new Recorded(execution.getConnectionId(), query.getQuery(), query.getParametersList())));
		}
		Consumer<String> task = before.get();
		if (task != null && !isCommit(queries)) {
			task.accept(queries.get(0).getQuery());
		}
	}

	private static boolean isCommit(List<QueryInfo> queries) {
		return queries.stream().map(QueryInfo::getQuery).anyMatch(Recorded::isCommit);
	}

	@Override
	public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
	}

	/**
	 * A statement.
	 *
	 * @param connection the connection that executed it
	 * @param sql its text, with question marks
	 * @param batch what set its parameters, each time it was executed in a batch
	 */
	public record Recorded(String connection, String sql, List<List<ParameterSetOperation>> batch) {

		/** Whether it controls the transaction instead of touching rows. */
		public boolean isControl() {
			return isControl(this.sql);
		}

		/** Other statements may follow an option in the same round trip. */
		private static boolean isControl(String sql) {
			return (sql.startsWith("set ") && !sql.contains(";")) || isCommit(sql);
		}

		boolean isCommit() {
			return isCommit(this.sql);
		}

		private static boolean isCommit(String sql) {
			return sql.endsWith("commit");
		}

		/** Gives another statement the parameters of this one. */
		void setParameters(PreparedStatement statement) throws SQLException {
			for (ParameterSetOperation operation : this.batch.get(0)) {
				try {
					operation.getMethod().invoke(statement, operation.getArgs());
				}
				catch (IllegalAccessException | InvocationTargetException ex) {
					throw new SQLException(ex);
				}
			}
		}

	}

}
