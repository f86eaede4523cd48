package conformance;

import java.util.Objects;

/** A very small test runner: counts what passes and what fails. */
class Cases {

	private final String name;

	private int passed;

	private int failed;

	Cases(String name) {
		this.name = name;
	}

	void run(String title, Case test) {
		try {
			test.run();
			this.passed++;
		}
		catch (Throwable ex) {
			this.failed++;
			System.out.println("FAILED " + this.name + ": " + title);
			ex.printStackTrace(System.out);
		}
	}

	boolean report() {
		System.out.println(this.name + ": " + this.passed + " passed, " + this.failed + " failed");
		return this.failed == 0;
	}

	static void equal(Object actual, Object expected) {
		check(Objects.equals(actual, expected), actual + " is not " + expected);
	}

	static void check(boolean holds, String otherwise) {
		if (!holds) {
			throw new AssertionError(otherwise);
		}
	}

	interface Case {

		void run() throws Exception;

	}

}
