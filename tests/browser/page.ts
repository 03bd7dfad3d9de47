// The built page in a real browser: served with its policy headers, watched for anything that goes wrong.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { type StaticServer, serve } from "../../scripts/serve.mjs";

const USUAL = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** The browser that tests run. */
export function browserProgram(): string {
  const program = process.env.NUCLEUS_CHROME ?? USUAL.find(existsSync);
  if (program === undefined) throw new Error("No browser was found: set NUCLEUS_CHROME to one.");
  return program;
}

/** A browser and a server for one test file. */
export class Stage {
  readonly #browser: Browser;
  readonly #server: StaticServer;

  private constructor(browser: Browser, server: StaticServer) {
    this.#browser = browser;
    this.#server = server;
  }

  static async open(): Promise<Stage> {
    const root = fileURLToPath(new URL("../../site", import.meta.url));
    const executablePath = browserProgram();
    const server = await serve({ root });
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"];
    return new Stage(await chromium.launch({ executablePath, args }), server);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#server.close();
  }

  /** The page at an address, once it is alive; what goes wrong on it is written down. `prepare` comes before it. */
  async visit(
    fragment = "",
    options: BrowserContextOptions = {},
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Visit> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    await prepare?.(context);
    const page = await context.newPage();
    const visit = new Visit(page, this.#server.url);
    await page.goto(`${this.#server.url}${fragment === "" ? "" : `#${fragment}`}`);
    await page.locator(".chart .overlay").waitFor();
    return visit;
  }

  /** The page from another server, once it is alive; `prepare` runs before the page's own scripts. */
  async visitAt(url: string, options: BrowserContextOptions, prepare?: () => void): Promise<Visit> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    if (prepare !== undefined) await context.addInitScript(prepare);
    const page = await context.newPage();
    const visit = new Visit(page, url);
    await page.goto(url);
    await page.locator(".chart .overlay").waitFor();
    return visit;
  }

  /** The page when the engine's module does not arrive. */
  async visitBroken(): Promise<Visit> {
    const context = await this.#browser.newContext();
    await context.route("**/*.wasm", (route) => route.abort());
    const page = await context.newPage();
    await page.goto(this.#server.url);
    return new Visit(page, this.#server.url);
  }

  /** The page in a browser that runs no script, on a phone. */
  async visitStatic(): Promise<Visit> {
    const viewport = { width: 390, height: 844 };
    const context = await this.#browser.newContext({ viewport, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(this.#server.url);
    return new Visit(page, this.#server.url);
  }
}

export class Visit {
  readonly page: Page;
  /** Console errors, exceptions, policy violations, failed requests and requests to other hosts. */
  readonly trouble: string[] = [];
  /** The addresses of everything that was requested. */
  readonly requests: string[] = [];

  constructor(page: Page, url: string) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.trouble.push(message.text());
    });
    page.on("pageerror", (error) => this.trouble.push(String(error)));
    // A page that is left gives up what it was still fetching, an icon say: that is no failure.
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText;
      if (reason !== "net::ERR_ABORTED") this.trouble.push(`${request.url()} failed: ${reason}`);
    });
    page.on("request", (request) => {
      this.requests.push(request.url());
      if (!request.url().startsWith(url)) this.trouble.push(`a request to ${request.url()}`);
    });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
