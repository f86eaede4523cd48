package dev.agentsessions.linearizability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The artifacts of a session: the model that answers are compared with. The content of a
 * version that a rewind has taken back is blank.
 *
 * @param versions the versions of each name, the oldest first
 */
record Files(Map<String, List<Version>> versions) {

	/** No artifact. */
	static final Files NONE = new Files(Map.of());

	/** With a further version. */
	Files saved(String name, String content, long afterSeq) {
		Map<String, List<Version>> changed = new TreeMap<>(this.versions);
		List<Version> all = new ArrayList<>(changed.getOrDefault(name, List.of()));
		all.add(new Version(content, afterSeq));
		changed.put(name, List.copyOf(all));
		return new Files(changed);
	}

	/** Without a name. */
	Files deleted(String name) {
		Map<String, List<Version>> changed = new TreeMap<>(this.versions);
		changed.remove(name);
		return new Files(changed);
	}

	/** How many versions there are, also those that are taken back. */
	int count(String name) {
		return this.versions.getOrDefault(name, List.of()).size();
	}

	/** What the newest version has, if there is one that can be loaded. */
	Optional<String> newest(String name) {
		return newest(name, Long.MAX_VALUE);
	}

	/** What a version has, if there is one that can be loaded. */
	Optional<String> version(String name, int number) {
		return (number < count(name)) ? loadable(this.versions.get(name).get(number)) : Optional.empty();
	}

	/** What the newest version had right after an event: what was saved before it. */
	Optional<String> newest(String name, long seq) {
		return this.versions.getOrDefault(name, List.of())
			.stream()
			.filter((version) -> version.afterSeq < seq)
			.reduce((before, after) -> after)
			.flatMap(Files::loadable);
	}

	private static Optional<String> loadable(Version version) {
		return version.content.isEmpty() ? Optional.empty() : Optional.of(version.content);
	}

	/**
	 * With what a rewind saves: what changed since an event gets a version equal to the
	 * one of then.
	 * @param seq the last event that stays
	 * @param newest the newest event before that of the rewind
	 */
	Files rewound(long seq, long newest) {
		Files rewound = this;
		for (Map.Entry<String, List<Version>> file : this.versions.entrySet()) {
			Version last = file.getValue().get(file.getValue().size() - 1);
			String then = newest(file.getKey(), seq).orElse("");
			if (last.afterSeq >= seq && !last.content.equals(then)) {
				rewound = rewound.saved(file.getKey(), then, newest);
			}
		}
		return rewound;
	}

	/**
	 * A version.
	 *
	 * @param content what was saved
	 * @param afterSeq the newest event when it was saved
	 */
	record Version(String content, long afterSeq) {
	}

}
