package dev.agentsessions.adk.transfer;

import java.io.IOException;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.transfer.ImportCounts.ImportReport;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.transfer.SessionImport;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.session.transfer.TransferService.ArtifactTransfer;
import dev.agentsessions.web.JsonLinesReader;
import dev.agentsessions.web.JsonLinesReader.JsonLines;
import dev.agentsessions.web.NdjsonExportWriter;

/**
 * Exports and imports sessions with all data that belongs to them. Bodies are NDJSON (one
 * JSON object in each line), which is read and written as a stream.
 */
@RestController
class TransferController {

	/** Other names of the type that clients use. None is registered. */
	private static final String NDJSON = "application/ndjson";

	private static final String JSONL = "application/jsonl";

	private static final String JSON_LINES = "application/jsonlines";

	private static final String X_JSON_LINES = "application/x-jsonlines";

	private final TransferService transfers;

	private final JsonLinesReader lines;

	TransferController(TransferService transfers, JsonLinesReader lines) {
		this.transfers = transfers;
		this.lines = lines;
	}

	@GetMapping("/apps/{appName}/users/{userId}:export")
	void exportUser(@PathVariable String appName, @PathVariable String userId, @RequestParam @Nullable String content,
			HttpServletResponse response) {
		export(new StateOwner(appName, userId), content, response);
	}

	@GetMapping("/apps/{appName}:export")
	void exportApp(@PathVariable String appName, @RequestParam @Nullable String content, HttpServletResponse response) {
		export(new StateOwner(appName, null), content, response);
	}

	@PostMapping(path = "/apps/{appName}/users/{userId}:import",
			consumes = { NdjsonExportWriter.MEDIA_TYPE, NDJSON, JSONL, JSON_LINES, X_JSON_LINES })
	ImportReport importUser(@PathVariable String appName, @PathVariable String userId, HttpServletRequest request)
			throws IOException {
		return importLines(new StateOwner(appName, userId), request);
	}

	@PostMapping(path = "/apps/{appName}:import",
			consumes = { NdjsonExportWriter.MEDIA_TYPE, NDJSON, JSONL, JSON_LINES, X_JSON_LINES })
	ImportReport importApp(@PathVariable String appName, HttpServletRequest request) throws IOException {
		return importLines(new StateOwner(appName, null), request);
	}

	private void export(StateOwner owner, @Nullable String content, HttpServletResponse response) {
		this.transfers.export(owner, artifacts(content), new NdjsonExportWriter(owner, response));
	}

	/** Without the parameter nothing is missing in the other store. */
	private static ArtifactTransfer artifacts(@Nullable String content) {
		return switch (Objects.requireNonNullElse(content, "inline")) {
			case "inline" -> ArtifactTransfer.INLINE;
			case "reference" -> ArtifactTransfer.REFERENCE;
			case "none" -> ArtifactTransfer.NONE;
			default -> throw new SessionException.InvalidArgument("content", "must be inline, reference or none");
		};
	}

	private ImportReport importLines(StateOwner owner, HttpServletRequest request) throws IOException {
		SessionImport target = this.transfers.startImport(owner);
		try (JsonLines body = this.lines.open(request)) {
			return new NdjsonImport(target, body).read();
		}
	}

}
