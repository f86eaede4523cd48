package dev.agentsessions.console.artifact;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.agentsessions.console.view.Links;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.artifact.ArtifactContent;
import dev.agentsessions.session.artifact.ArtifactException;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.part.FileContent;
import dev.agentsessions.web.part.FileResponse;
import dev.agentsessions.web.part.SafeType;

/** Serves the artifacts of a session and its user: a list, a version, and its bytes. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts")
class ArtifactPageController {

	private static final int MAX_ROWS = 50;

	private final ArtifactService artifacts;

	private final ArtifactSaver saver;

	ArtifactPageController(ArtifactService artifacts, ArtifactSaver saver) {
		this.artifacts = artifacts;
		this.saver = saver;
	}

	@GetMapping
	String list(SessionKey key, @RequestParam(defaultValue = "") String after, HttpServletRequest request,
			Model model) {
		Links links = Links.of(request);
		Page<ArtifactVersion> page = this.artifacts.list(key.user(), key, after, MAX_ROWS);
		model.addAttribute("rows",
				page.items().stream().map((version) -> VersionView.of(version, key, links)).toList());
		model.addAttribute("next", page.more()
				? links.session(key) + "/artifacts?after=" + Links.encode(page.last().name().name()) : null);
		model.addAttribute("curl", links.curl(request, key, "/artifacts:list?limit=" + MAX_ROWS));
		return "console/artifacts";
	}

	/** Serves a version, the newest by default, with the newest versions beside it. */
	@GetMapping("/one")
	String version(SessionKey key, @RequestParam String name, @RequestParam @Nullable Integer version,
			HttpServletRequest request, Model model) {
		Links links = Links.of(request);
		List<ArtifactVersion> versions = this.artifacts.versions(ArtifactName.of(key, name));
		ArtifactVersion shown = find(versions, version);
		List<VersionView> rows = versions.subList(Math.max(0, versions.size() - MAX_ROWS), versions.size())
			.stream()
			.map((row) -> VersionView.of(row, key, links))
			.sorted(Collections.reverseOrder((one, other) -> Integer.compare(one.version(), other.version())))
			.toList();
		model.addAttribute("shown", VersionView.of(shown, key, links));
		model.addAttribute("preview", ArtifactPreview.of(shown, key, this.artifacts, links));
		model.addAttribute("savedBy", this.saver.find(shown, key, links).orElse(null));
		model.addAttribute("rows", rows);
		model.addAttribute("omitted", versions.size() - rows.size());
		model.addAttribute("curl", links.curl(request, key,
				"/artifacts/" + Links.encode(name) + "/versions/" + shown.version() + "/metadata"));
		return "console/artifact";
	}

	/** Serves the bytes of a version at the address that the pages link to. */
	@GetMapping("/content")
	void content(SessionKey key, @RequestParam String name, @RequestParam int version, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		ArtifactVersion found = this.artifacts.get(ArtifactName.of(key, name), version);
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

}
