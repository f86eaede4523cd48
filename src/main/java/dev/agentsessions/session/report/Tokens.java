package dev.agentsessions.session.report;

/**
 * Numbers of tokens that models have counted.
 *
 * @param prompt of prompts, with those from a cache
 * @param cached of prompts, from a cache
 * @param cacheWritten of prompts, written to a cache
 * @param toolUse of prompts for tools that the model itself uses
 * @param thoughts of thoughts
 * @param output of responses
 * @param total the total as the sender gives it, or else the sum without {@code cached}
 */
public record Tokens(long prompt, long cached, long cacheWritten, long toolUse, long thoughts, long output,
		long total) {

	public static final Tokens NONE = new Tokens(0, 0, 0, 0, 0, 0, 0);

	/** Returns the sum of these and other tokens. */
	public Tokens plus(Tokens other) {
		return new Tokens(this.prompt + other.prompt, this.cached + other.cached,
				this.cacheWritten + other.cacheWritten, this.toolUse + other.toolUse, this.thoughts + other.thoughts,
				this.output + other.output, this.total + other.total);
	}

	/** Returns the tokens that the provider reads, except those from or for a cache. */
	long readAnew() {
		return Math.max(0, this.prompt - this.cached - this.cacheWritten) + this.toolUse;
	}

	/**
	 * Returns the tokens that the model writes. Some senders count thoughts as output as
	 * well, and some do not; both count them once in the total.
	 */
	long written() {
		return Math.max(0, this.total - this.prompt - this.toolUse);
	}

}
