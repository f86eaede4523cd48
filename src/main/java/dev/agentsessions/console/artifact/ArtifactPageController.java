package dev.agentsessions.console.artifact;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.session.EventViews.ArtifactChange;
import dev.agentsessions.console.session.PartView.DataView;
import dev.agentsessions.console.view.Links;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactService.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactService.Store.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.session.artifact.ArtifactVersion.ArtifactKind;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.FileResponse;
import dev.agentsessions.web.FileResponse.FileContent;
import dev.agentsessions.web.FileResponse.SafeType;
import dev.agentsessions.web.InlineDataStripper;

/** Serves the artifacts of a session and its user: a list, a version, and its bytes. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts")
class ArtifactPageController {

	private static final int MAX_ROWS = 50;

	/** An agent appends the event soon after it has saved the version. */
	private static final int MAX_EVENTS = 10;

	private final ArtifactService artifacts;

	private final EventService events;

	ArtifactPageController(ArtifactService artifacts, EventService events) {
		this.artifacts = artifacts;
		this.events = events;
	}

	@GetMapping
	String list(SessionName name, @RequestParam(defaultValue = "") String after, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		Page<ArtifactVersion> page = this.artifacts.list(name.user(), name, after, MAX_ROWS);
		model.addAttribute("rows",
				page.items().stream().map((version) -> VersionView.of(version, name, links)).toList());
		model.addAttribute("next", page.more()
				? links.session(name) + "/artifacts?after=" + Links.encode(page.last().name().name()) : null);
		model.addAttribute("curl", links.curl(request, name, "/artifacts:list?limit=" + MAX_ROWS));
		return "console/artifacts";
	}

	/** Serves a version, the newest by default, with the newest versions beside it. */
	@GetMapping("/one")
	String version(SessionName session, @RequestParam String name, @RequestParam @Nullable Integer version,
			HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		List<ArtifactVersion> versions = this.artifacts.versions(ArtifactName.of(session, name));
		ArtifactVersion shown = find(versions, version);
		List<VersionView> rows = versions.subList(Math.max(0, versions.size() - MAX_ROWS), versions.size())
			.stream()
			.map((row) -> VersionView.of(row, session, links))
			.sorted(Comparator.comparingInt(VersionView::version).reversed())
			.toList();
		model.addAttribute("shown", VersionView.of(shown, session, links));
		model.addAttribute("preview", ArtifactPreview.of(shown, session, this.artifacts, links));
		model.addAttribute("savedBy", savedBy(shown, session, links).orElse(null));
		model.addAttribute("rows", rows);
		model.addAttribute("omitted", versions.size() - rows.size());
		model.addAttribute("curl", links.curl(request, session,
				"/artifacts/" + Links.encode(name) + "/versions/" + shown.version() + "/metadata"));
		return "console/artifact";
	}

	/** Serves the bytes of a version at the address that the pages link to. */
	@GetMapping("/content")
	void content(SessionName session, @RequestParam String name, @RequestParam int version, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		ArtifactVersion found = this.artifacts.get(ArtifactName.of(session, name), version);
		ArtifactContent content = found.content();
		if (content == null) {
			throw new ArtifactException.NotFound();
		}
		String type = found.artifact().mimeType();
		FileResponse.write(new FileContent(SafeType.of(type), found.size(),
				"\"" + content.digest() + "." + SafeType.of(type).hashCode() + "\"", this.artifacts.blocks(found)),
				FileResponse.ASK_ALWAYS, request, response);
	}

	private static ArtifactVersion find(List<ArtifactVersion> versions, @Nullable Integer number) {
		return versions.stream()
			.filter((version) -> number == null || version.version() == number)
			.reduce((before, after) -> after)
			.orElseThrow(ArtifactException.NotFound::new);
	}

	/**
	 * Finds the event that says that it saved a version, among the first ones after the
	 * save; empty for artifacts of the user, which any session may have saved.
	 */
	private Optional<SavedBy> savedBy(ArtifactVersion version, SessionName name, Links links) {
		if (version.name().owner().isEmpty()) {
			return Optional.empty();
		}
		EventQuery query = EventQuery.of(false, MAX_EVENTS).after(version.afterSeq());
		return this.events.list(name, query, new InlineDataStripper(links.session(name)))
			.items()
			.stream()
			.filter((event) -> names(event, version, name, links))
			.findFirst()
			.map((event) -> SavedBy.of(event, name, links));
	}

	private static boolean names(Event event, ArtifactVersion version, SessionName name, Links links) {
		JsonObject actions = LenientFields.object(LenientFields.object(event.body()), EventFields.ACTIONS);
		return ArtifactChange.of(actions, name, links)
			.anyMatch((change) -> change.wholeName().equals(version.name().name())
					&& change.version() == version.version());
	}

	/**
	 * A version of an artifact as a page shows it.
	 *
	 * @param name the name of the artifact
	 * @param version the number of the version
	 * @param type its media type, or what it is instead
	 * @param size the number of bytes
	 * @param time when it was saved
	 * @param takenBack whether a rewind has taken it back
	 * @param link the page of the version
	 */
	record VersionView(TruncatedText name, int version, TruncatedText type, long size, String time, boolean takenBack,
			String link) {

		static VersionView of(ArtifactVersion version, SessionName session, Links links) {
			String name = version.name().name();
			return new VersionView(TruncatedText.line(name), version.version(), TruncatedText.line(type(version)),
					version.size(), TimeFormat.of(version.createTime()), version.isTakenBack(),
					links.artifact(session, name, version.version()));
		}

		private static String type(ArtifactVersion version) {
			String type = version.artifact().mimeType();
			if (version.artifact().kind() == ArtifactKind.REFERENCE) {
				return "reference";
			}
			return (type != null) ? type : "text";
		}

	}

	/**
	 * What a page shows of the content of a version.
	 *
	 * @param data its bytes, to be shown, played or downloaded; {@code null} for a
	 * reference to a file elsewhere, and for a version that is taken back
	 * @param text the beginning of a text; {@code null} if it is none
	 * @param more whether the text goes on
	 * @param uri the file that it refers to; {@code null} if it is no reference
	 */
	record ArtifactPreview(@Nullable DataView data, @Nullable TruncatedText text, boolean more,
			@Nullable TruncatedText uri) {

		private static final int MAX_TEXT_BYTES = 64 * 1024;

		private static final Set<String> TEXTS = Set.of("application/json", "application/xml", "application/yaml",
				"application/javascript", "application/x-ndjson");

		static ArtifactPreview of(ArtifactVersion version, SessionName session, ArtifactService artifacts,
				Links links) {
			String uri = version.artifact().fileUri();
			TruncatedText target = (uri != null) ? TruncatedText.of(uri, TruncatedText.MAX_CHARS) : null;
			if (version.content() == null || version.isTakenBack()) {
				return new ArtifactPreview(null, null, false, target);
			}
			String type = Objects.requireNonNullElse(version.artifact().mimeType(), "text/plain");
			String name = version.name().name();
			DataView data = DataView.of(name, type, links.artifactContent(session, name, version.version()));
			return isText(version, type)
					? new ArtifactPreview(data, text(version, artifacts), version.size() > MAX_TEXT_BYTES, target)
					: new ArtifactPreview(data, null, false, target);
		}

		private static boolean isText(ArtifactVersion version, String type) {
			String plain = type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
			return version.artifact().kind() == ArtifactKind.TEXT || plain.startsWith("text/") || TEXTS.contains(plain);
		}

		/** A character that is cut in two is left out. */
		private static TruncatedText text(ArtifactVersion version, ArtifactService artifacts) {
			byte[] bytes = (version.size() > 0) ? artifacts.read(version, 0) : new byte[0];
			int end = Math.min(bytes.length, MAX_TEXT_BYTES);
			while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
				end--;
			}
			return TruncatedText.of(new String(bytes, 0, end, StandardCharsets.UTF_8), MAX_TEXT_BYTES);
		}

	}

	/**
	 * The event that says that it saved a version.
	 *
	 * @param seq its seq
	 * @param author its author
	 * @param link the page of the session at the event
	 */
	record SavedBy(long seq, TruncatedText author, String link) {

		static SavedBy of(Event event, SessionName name, Links links) {
			String author = LenientFields.text(LenientFields.object(event.body()), EventFields.AUTHOR);
			return new SavedBy(event.seq(), TruncatedText.line(author), links.eventInSession(name, event.seq()));
		}

	}

}
