import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visible, visibleCsv } from '../../adapters/cli/output/terminal.ts';
import { run } from '../support/command.ts';
import { csvLine } from '../support/csv.ts';
import { openUsedFolder } from '../support/used-folder.ts';

/** What a terminal obeys or leaves out instead of showing it: Cc, Cf, Zl, Zp and default-ignorable of Unicode. */
const OBEYED: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x0600, 0x0605],
  [0x061c, 0x061c],
  [0x06dd, 0x06dd],
  [0x070f, 0x070f],
  [0x0890, 0x0891],
  [0x08e2, 0x08e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const CHUNK = 0x1000;

function isObeyed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return OBEYED.some(([first, last]) => code >= first && code <= last);
}

const obeyedIn = (text: string): string[] => [...text].filter(isObeyed);

/** Every code point, lone surrogates too, in texts of some thousand. */
function* everything(): Generator<string> {
  for (let start = 0; start <= 0x10ffff; start += CHUNK) {
    yield Array.from({ length: CHUNK }, (_, offset) => String.fromCodePoint(start + offset)).join('');
  }
}

/** As JSON would spell it. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

async function csvOf(pieces: readonly string[]): Promise<string> {
  let text = '';
  async function* given() {
    yield* pieces;
  }
  for await (const piece of visibleCsv(given())) text += piece;
  return text;
}

describe('of all code points', () => {
  test('those that a terminal obeys are shown as escapes, and the others as they are', () => {
    for (const text of everything()) {
      const expected = [...text].map((character) => (isObeyed(character) ? escaped(character) : character));
      expect(visible(text) === expected.join('')).toBe(true);
    }
  });

  test('JSON with the escapes is the same JSON', () => {
    for (const text of everything()) expect(JSON.parse(visible(JSON.stringify(text))) === text).toBe(true);
  });

  test('a CSV for a terminal holds no control character but the ends of lines', async () => {
    for (const text of everything()) {
      expect(obeyedIn(await csvOf([text])).filter((character) => character !== '\n')).toEqual([]);
    }
  });
});

test('a CSV for a terminal has a line per record, wherever its pieces begin', async () => {
  const unit = fc.constantFrom('a', '"', ',', '\r', '\n', '\t', '\u202e', '\u009b', '\u2028', '=');
  const cell = fc.string({ unit, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), fc.nat(20), async (actions, size) => {
      const whole = actions.map((action) => csvLine({ ...RECORD, action })).join('');
      const pieces = whole.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? [];
      const shown = await csvOf(pieces);
      expect(shown.split('\n')).toHaveLength(actions.length + 1);
      expect(obeyedIn(shown).every((character) => character === '\n')).toBe(true);
    }),
  );
});

const RECORD = {
  verdict: 'DENY',
  reasons: [],
  decision_id: 'dec_1',
  agent_id: 'a',
  target: null,
  amount: null,
  currency: null,
  passport_version: null,
  environment: 'live',
  key_id: null,
  request_id: null,
  trace_id: null,
  proof_kid: null,
  subject: null,
  approval_id: null,
  hold_seconds: null,
  verifier: null,
  permit_audience: null,
  ancestor_versions: null,
  dry_run: false,
  budgets: [],
  evaluated_at: '2026-11-20T12:00:00.000Z',
} as const;

describe('the command', () => {
  const HOSTILE = 'a\u202eb\u009b31mc\u001b[2Jd\r\ne\u2028f\u007f';
  let folder: string;
  let remove: () => void;

  beforeAll(async () => {
    ({ folder, remove } = await openUsedFolder());
    const passport = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'shopper'];
    await run([...passport, '--allowed-actions', 'x', '--monetary-limit-per-txn', '0'], {
      cwd: folder,
    });
    const agent_id = 'did:web:example.com:agents:shopper';
    writeFileSync(join(folder, 'intent.json'), JSON.stringify({ agent_id, action: HOSTILE }));
    expect((await run(['verify', 'intent.json'], { cwd: folder })).code).toBe(3);
  });

  afterAll(() => remove());

  test.each([false, true])('prints the same JSON with escapes (on a terminal: %s)', async (isTerminal) => {
    const { stdout } = await run(['verifications', '--json'], { cwd: folder, isTerminal });
    expect(obeyedIn(stdout)).toEqual(['\n']);
    expect(JSON.parse(stdout).data).toMatchObject([{ action: HOSTILE }]);
  });

  test.each([false, true])(
    'prints tables and errors with escapes (on a terminal: %s)',
    async (isTerminal) => {
      const { stdout } = await run(['verifications'], { cwd: folder, isTerminal });
      expect(stdout).toContain('a\\u202eb\\u009b31mc\\u001b[2Jd\\u000d\\u000ae\\u2028f\\u007f');
      expect(obeyedIn(stdout)).toEqual(['\n', '\n']);
      const { stderr } = await run(['verify', HOSTILE], { cwd: folder, isTerminal });
      expect(stderr).toContain('a\\u202eb');
      expect(obeyedIn(stderr)).toEqual(['\n']);
    },
  );

  test('prints CSV with escapes on a terminal, and as it is elsewhere', async () => {
    const piped = await run(['verifications', '--csv'], { cwd: folder });
    expect(piped.stdout).toContain(`"${HOSTILE}"`);
    const shown = await run(['verifications', '--csv'], { cwd: folder, isTerminal: true });
    expect(obeyedIn(shown.stdout)).toEqual(['\n', '\n']);
    expect(shown.stdout).toContain(`"${visible(HOSTILE)}"`);
  });
});
