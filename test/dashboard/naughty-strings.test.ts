/** The Big List of Naughty Strings as names, descriptions, metadata, actions and targets: shown as the text it is. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { visible } from '../../adapters/cli/output/terminal.ts';
import { claimsToTry } from '../support/runs.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

/** github.com/minimaxir/big-list-of-naughty-strings, MIT (see the licence beside it). */
const WHOLE = JSON.parse(
  readFileSync(new URL('./naughty-strings/blns.json', import.meta.url), 'utf8'),
) as readonly string[];
const LIST = claimsToTry(WHOLE, 3, 'names that no person would choose');
const PER_PASSPORT = 15;

describe.runIf(hasChromium)('names that no person would choose', () => {
  let stage: Stage;
  /** What the service takes, newest first. */
  const names: string[] = [];
  const actions: string[] = [];
  const metadata = new Map<string, Readonly<Record<string, string>>>();

  beforeAll(async () => {
    stage = await openStage(['--default-plan', 'enterprise']);
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'asks' });
    names.push('asks');
    for (const text of LIST) {
      const name = [...text].slice(0, 100).join('');
      const made = await stage.api('POST', '/keys', { name }).then(
        () => true,
        () => false,
      );
      if (made) names.unshift(name);
      const body = JSON.stringify({ agent_id: text || ' ', action: text, target: text });
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const answer = await fetch(`${stage.server.origin}/api/verify`, { method: 'POST', headers, body });
      if (answer.status === 200) actions.unshift(text);
      else expect(answer.status).toBe(400);
    }
    for (let at = 0; at < LIST.length; at += PER_PASSPORT) {
      const texts = LIST.slice(at, at + PER_PASSPORT);
      const values = Object.fromEntries(texts.map((text, index) => [`n${index}`, text]));
      const { agent_id } = await stage.api<{ agent_id: string }>('POST', '/passports', {
        domain: 'shop.example',
        agent_name: `agent${at}`,
        allowed_actions: ['orders.*'],
        monetary_limit_per_txn: 1,
        description: texts.join('').slice(0, 400),
        metadata: values,
      });
      metadata.set(agent_id, values);
    }
    const recorded = () => stage.api<{ data: readonly object[] }>('GET', '/verifications?limit=1');
    while ((await recorded()).data.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test('the service takes nearly all of them', () => {
    expect(WHOLE.length).toBeGreaterThan(480);
    expect(names.length).toBeGreaterThan(0.9 * LIST.length);
    expect(actions.length).toBeGreaterThan(0.9 * LIST.length);
  });

  test('as names of keys', async () => {
    const { page, problems } = await stage.open({ viewport: { width: 1280, height: 800 } });
    await signIn(page, '/#/keys');
    await showAll(page, names.length);
    const shown = await page.locator('tbody td:first-child a.name').allTextContents();
    expect(shown.sort()).toEqual(names.map(visible).sort());
    await expectNarrow(page, 'keys');
    await page.goto('/#/verdicts');
    await page.getByRole('table', { name: 'Verdicts' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('as actions and targets of verdicts, and in the record of each', async () => {
    const { page, problems } = await stage.open({ viewport: { width: 1280, height: 800 } });
    await signIn(page, '/#/verdicts');
    await showAll(page, actions.length);
    const shown = await page.locator('tbody td:first-child button').allTextContents();
    expect(shown.sort()).toEqual(actions.map(visible).sort());
    const targets = await page.locator('tbody td:nth-child(4) > span').allTextContents();
    expect(targets.sort()).toEqual(
      actions
        .filter((text) => text !== '')
        .map(visible)
        .sort(),
    );
    await expectNarrow(page, 'verdicts');
    const rows = page.locator('tbody td:first-child button');
    const dialog = page.getByRole('dialog', { name: 'Verdict' });
    for (let at = 0; at < actions.length; at += 20) {
      const action = (await rows.nth(at).textContent()) ?? '';
      await rows.nth(at).click();
      await dialog.waitFor();
      expect(await dialog.locator('.facts dd code').first().textContent()).toBe(action);
      const record = (await dialog.locator('pre code').textContent()) ?? '';
      expect(visible(JSON.parse(record).action)).toBe(action);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    for (const address of ['/#/overview', '/#/analytics']) {
      await page.goto(address);
      await page.getByRole('table').first().waitFor();
      await expectAccessible(page, address);
    }
    expect(problems).toEqual([]);
  });

  test('as metadata and descriptions of passports, also in their forms and their versions', async () => {
    const { page, problems } = await stage.open({ viewport: { width: 360, height: 800 } });
    await signIn(page);
    for (const [agent_id, values] of metadata) {
      const path = `/#/passports/${encodeURIComponent(agent_id)}`;
      await page.goto(path);
      const entries = page.locator('.facts .entries code', { hasText: ' = ' });
      await expect.poll(() => entries.count()).toBe(Object.keys(values).length);
      const pairs = Object.entries(values).map(([name, value]) => visible(`${name} = ${value}`));
      expect((await entries.allTextContents()).sort()).toEqual(pairs.sort());
      await expectNarrow(page, path);
      await page.goto(`${path}/edit`);
      const form = page.getByLabel('Metadata');
      await form.waitFor();
      expect(await form.inputValue()).toContain(Object.values(values)[0]?.split('\n')[0]?.trim() ?? '');
      await expectNarrow(page, `${path}/edit`);
    }
    expect(problems).toEqual([]);
  });
});

/** Every page of the list. */
async function showAll(page: Page, count: number): Promise<void> {
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  while ((await rows.count()) < count) {
    const before = await rows.count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  }
  expect(await rows.count()).toBe(count);
}

/** Nothing is wider than the window. */
async function expectNarrow(page: Page, where: string): Promise<void> {
  const width = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(width[0], where).toBeLessThanOrEqual(width[1] ?? 0);
}
