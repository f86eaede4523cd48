package dev.agentsessions.console.session;

import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.transfer.TransferService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.NdjsonExportWriter;

/**
 * Serves a session with all its events as a file, which the import of its user takes.
 */
@Controller
class DownloadController {

	private final SessionService sessions;

	private final TransferService transfers;

	DownloadController(SessionService sessions, TransferService transfers) {
		this.sessions = sessions;
		this.transfers = transfers;
	}

	/**
	 * Serves the file. A session that is not there is an error on a page, and no file.
	 */
	@GetMapping(ConsoleAccess.PATH + "/apps/{appName}/users/{userId}/sessions/{sessionId}/download")
	@ResponseBody
	void download(SessionName name, HttpServletResponse response) {
		this.sessions.get(name, EventWindow.NONE);
		ContentDisposition file = ContentDisposition.attachment()
			.filename(name.sessionId() + ".ndjson", StandardCharsets.UTF_8)
			.build();
		response.setHeader(HttpHeaders.CONTENT_DISPOSITION, file.toString());
		this.transfers.export(name, new NdjsonExportWriter(name.user(), response));
	}

}
