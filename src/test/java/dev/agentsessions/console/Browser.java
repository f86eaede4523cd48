package dev.agentsessions.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The Chromium of this machine, found and never downloaded: by the variable
 * {@code CHROMIUM}, or on the path, with its {@code chromedriver} beside it or on the
 * path. Where there is none, tests that need it are left out and say so; with
 * {@code AGENT_SESSIONS_REQUIRE_BROWSER=true} they fail. One is enough for all tests.
 */
public final class Browser implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final ChromeDriver driver;

	private final String service;

	private final String axe;

	private Browser(ChromeDriver driver, int port) {
		this.driver = driver;
		this.service = "http://localhost:" + port;
		this.axe = axe();
	}

	/** Starts it for a service on this machine. */
	public static Browser start(int port) {
		Optional<Path> browser = find("CHROMIUM", "chromium", "chromium-browser", "google-chrome");
		Optional<Path> driver = find("CHROMEDRIVER", "chromedriver");
		boolean there = browser.isPresent() && driver.isPresent();
		String missing = "The tests in a browser need chromium and chromedriver (Debian: chromium chromium-driver)";
		if (Boolean.parseBoolean(System.getenv("AGENT_SESSIONS_REQUIRE_BROWSER"))) {
			assertThat(there).as(missing).isTrue();
		}
		Assumptions.assumeTrue(there, missing);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
		ChromeOptions options = new ChromeOptions().setBinary(browser.orElseThrow().toFile())
			.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
					"--disable-background-networking", "--disable-component-update", "--window-size=1280,900");
		options.setCapability("goog:loggingPrefs", logs);
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(driver.orElseThrow().toFile())
			.build();
		return new Browser(new ChromeDriver(service, options), port);
	}

	private static Optional<Path> find(String variable, String... names) {
		String set = System.getenv(variable);
		Stream<Path> named = (set != null) ? Stream.of(Path.of(set)) : Stream.of();
		Stream<Path> found = Stream.of(names)
			.flatMap((name) -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
				.map((folder) -> Path.of(folder, name)));
		return Stream.concat(named, found).filter(Files::isExecutable).findFirst();
	}

	private static String axe() {
		try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
			return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** As somebody who has never been here, with a wide window in the light. */
	public void forget() {
		open("/console/static/icon.svg");
		this.driver.manage().deleteAllCookies();
		look("light", 1280, 900);
	}

	/** Sets what a person has chosen for the system, and how large the window is. */
	public void look(String scheme, int width, int height) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	public void open(String path) {
		this.driver.get(this.service + path);
	}

	public String path() {
		return Objects.requireNonNull(this.driver.getCurrentUrl()).substring(this.service.length());
	}

	public String title() {
		return Objects.requireNonNull(this.driver.getTitle());
	}

	/** All that a person reads. */
	public String text() {
		return this.driver.findElement(By.tagName("body")).getText();
	}

	public WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	public List<WebElement> findAll(String selector) {
		return this.driver.findElements(By.cssSelector(selector));
	}

	/** Clicks on what says this, as soon as it is there. */
	public void click(String text) {
		String path = "//*[self::a or self::button or self::summary][normalize-space()='%s']".formatted(text);
		patiently(() -> this.driver.findElement(By.xpath(path)).click());
	}

	/** Clicks on a link or button that says this, and waits for the next page. */
	public void follow(String text) {
		awaitNextPage(() -> click(text));
	}

	/** Sends the form with this button, and waits for the next page. */
	public void submit(String button) {
		awaitNextPage(() -> clickOn(button));
	}

	private void awaitNextPage(Runnable click) {
		WebElement page = find("html");
		click.run();
		patiently(() -> {
			assertThatThrownBy(page::getTagName).isInstanceOf(StaleElementReferenceException.class);
			assertThat(this.driver.executeScript("return document.readyState")).isEqualTo("complete");
		});
	}

	/** Clicks on the first of these, as soon as it is there. */
	public void clickOn(String selector) {
		patiently(() -> find(selector).click());
	}

	public void type(String selector, String text) {
		patiently(() -> find(selector).sendKeys(text));
	}

	/** A page that is on its way is none yet. */
	private static void patiently(ThrowingRunnable action) {
		Awaitility.await()
			.atMost(PATIENCE)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptions()
			.untilAsserted(action);
	}

	/**
	 * Presses keys, wherever the focus is. A response may replace what has the focus
	 * after it was found.
	 */
	public void press(Keys... keys) {
		for (Keys key : keys) {
			patiently(() -> this.driver.switchTo().activeElement().sendKeys(key));
		}
	}

	/** Types letters, wherever the focus is. */
	public void keys(String letters) {
		new Actions(this.driver).sendKeys(letters).perform();
	}

	/** Lets the pages that are opened next run scripts, or not. */
	public void runScripts(boolean run) {
		this.driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
	}

	/** What the focus is on, as a person reads it. */
	public String focus() {
		return String.valueOf(script("const e = document.activeElement;"
				+ "return (e.getAttribute('aria-label') || e.innerText || e.name || e.tagName).trim();"));
	}

	public Object script(String script, Object... arguments) {
		return Objects.requireNonNullElse(this.driver.executeScript(script, arguments), "");
	}

	/** Waits until people read this. */
	public void await(String text) {
		patiently(() -> assertThat(text()).contains(text));
	}

	/** Unfolds everything, and waits for what the page loads then. */
	public void unfold() {
		script("document.querySelectorAll('main details').forEach((fold) => fold.open = true)");
		awaitGone(".htmx-request");
	}

	/** Waits until none of these is left. */
	public void awaitGone(String selector) {
		patiently(() -> assertThat(findAll(selector)).isEmpty());
	}

	/** Waits for a title of the page. */
	public void awaitTitle(String title) {
		patiently(() -> assertThat(title()).isEqualTo(title));
	}

	/** Fails if the page keeps people out who see, hear or move in another way. */
	public void checkAccessible() {
		if (!Boolean.TRUE.equals(script("return 'axe' in window"))) {
			script(this.axe);
		}
		Object found = this.driver.executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
				axe.run(document, { runOnly: rules, resultTypes: ["violations"] })
					.then((result) => done(result.violations.map((v) => v.id + ": " + v.help + " "
						+ v.nodes.map((n) => n.target + " " + n.failureSummary).join("; "))));
				""");
		assertThat((List<?>) found).as(path()).isEmpty();
	}

	/** Fails if something is wider than the window. */
	public void checkFits() {
		assertThat(script("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
			.as("%s is wider than the window", path())
			.isEqualTo(0L);
	}

	/** Fails if the browser has refused or missed something since it was last asked. */
	public void checkQuiet() {
		assertThat(this.driver.manage().logs().get(LogType.BROWSER).getAll()).as(path()).isEmpty();
	}

	/** Forgets what the browser has complained about, as a refusal was meant. */
	public void hush() {
		this.driver.manage().logs().get(LogType.BROWSER);
	}

	public void screenshot(Path file) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
