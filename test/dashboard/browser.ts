/** Chromium before the real server on SQLite. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished, TestRunner } from 'vitest';
import type { Role } from '../../src/types.ts';
import { closeAfterFile } from '../support/closers.ts';
import { eventually } from '../support/eventually.ts';
import { sayMissing } from '../support/missing.ts';
import { GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';

/** A folder that is kept in memory, where the system has one. */
const MEMORY = '/dev/shm';
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether there is a browser; without one a case says so, and fails on CI. */
export const hasChromium: boolean = existsSync(PROGRAM);
if (!hasChromium) sayMissing(`The tests of the dashboard need Chromium: there is no ${PROGRAM} (CHROMIUM).`);

export const EMAIL = 'admin@localhost';
export const PASSWORD: string = GIVEN.AGENT_IDENTITY_PASSWORD;

/** A page, with everything that it may not do: break its policy, throw, or open a dialog. */
export interface Watched {
  readonly page: Page;
  readonly problems: readonly string[];
}

/** A server with its browser. */
export interface Stage {
  readonly server: Serving;
  /** A new page in a context of its own. */
  open(options?: BrowserContextOptions): Promise<Watched>;
  /** Calls the API as the account. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The account was signed out everywhere: the next call signs in again. */
  forget(): void;
}

/** Starts both; they end with the file. */
export async function openStage(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = { AGENT_IDENTITY_RATE_LIMITS: 'off' },
): Promise<Stage> {
  // No test of a page is about the disk, whose syncs can take longer than a storage may.
  const { folder, remove } = openFolder(existsSync(MEMORY) ? MEMORY : undefined);
  const server = await startServe({ cwd: folder, env: { ...GIVEN, ...env } }, args);
  closeAfterFile(async () => {
    await server.stop();
    remove();
  });
  const open = await openBrowser();
  let token: string | undefined;
  async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (token === undefined && path !== '/auth/login') {
      const login = { email: EMAIL, password: PASSWORD };
      token = (await api<{ access_token: string }>('POST', '/auth/login', login)).access_token;
    }
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    // A machine that does other work at the same time may check no password within ten seconds.
    const answer = await eventually(async () => {
      const one = await fetch(`${server.origin}/api${path}`, init);
      expect(one.status).not.toBe(503);
      return one;
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const forget = (): void => {
    token = undefined;
  };
  return { server, api, forget, open: (options) => open(server.origin, options) };
}

/**
 * Chromium without a window; it ends with the file. Opens pages whose addresses are below an origin. The names of
 * `here`, such as `*.site.example`, lead to this machine.
 */
export async function openBrowser(
  here: readonly string[] = [],
): Promise<(origin: string, options?: BrowserContextOptions) => Promise<Watched>> {
  const names = here.map((name) => `MAP ${name} 127.0.0.1`).join(', ');
  const args = ['--no-sandbox', ...(names === '' ? [] : [`--host-resolver-rules=${names}`])];
  const browser = await chromium.launch({ executablePath: PROGRAM, args });
  closeAfterFile(() => browser.close());
  return (origin, options) => openPage(browser, origin, options);
}

/** A new page, watched. */
async function openPage(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL, ...options });
  // A machine that does other work at the same time is slow at times.
  context.setDefaultTimeout(60_000);
  // A page goes on working until it is closed. One that is opened for several tests ends with the file.
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => context.close());
  const problems: string[] = [];
  context.on('page', (page) => watch(page, problems));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return { page: await context.newPage(), problems };
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on('console', (message) => {
    if (/^policy:|Content Security Policy|Trusted/i.test(message.text())) problems.push(message.text());
  });
}

/** Presses Tab until this has the focus, as a user without a mouse does. */
export async function tabTo(page: Page, target: Locator, most = 80): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed <= most; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** Goes there by Tab and presses Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** A person of the account who has joined by a link, with the session that this began. */
export interface Joined {
  readonly email: string;
  readonly token: string;
}

/** Invites a person, who joins. */
export async function join({ api }: Stage, role: Role): Promise<Joined> {
  const email = `${role}@example.com`;
  const { link } = await api<{ link: { token: string } }>('POST', '/members', { role, email });
  const accept = { token: link.token, password: PASSWORD };
  const { access_token: token } = await api<{ access_token: string }>('POST', '/auth/accept', accept);
  return { email, token };
}

/** Gives a new page the session of a person, as a reload of its tab has it. */
export async function enter(page: Page, who: Joined): Promise<void> {
  const keep = (kept: string) => sessionStorage.setItem('agent-identity-session', kept);
  await page.addInitScript(keep, JSON.stringify(who));
}

/** Signs in on the page that is shown. */
export async function signIn(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // On a narrow window the navigation is behind its button.
  await page.locator('#menu').waitFor({ state: 'attached' });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing that axe finds fault with, and nothing wider than the window. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  });
  expect(found, where).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${where}: wider than the window`).toBeLessThanOrEqual(0);
}
