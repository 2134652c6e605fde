/** The bounds of an answer: 50 items, 200 characters per text, 32 KiB; the text holds what the record holds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, NOTICE, shownRecord, type ToolAnswer } from '../../adapters/mcp-server/answers.ts';
import { checkedArguments } from '../../adapters/mcp-server/arguments.ts';
import { TOOLS } from '../../adapters/mcp-server/tools.ts';
import { itemsOf, openDesk, recordOf } from './desk.ts';

const MAX_BYTES = 32 * 1_024;

/** Every text in a value, with the names of members. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** Every list in a value. */
function listsIn(value: unknown): readonly (readonly unknown[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(listsIn)];
}

/** Throws unless the answer is within the bounds. */
function expectBounded({ content, structuredContent }: ToolAnswer): void {
  const [{ text } = { text: '' }] = content;
  expect(content).toHaveLength(1);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  expect(text.startsWith(`${NOTICE}\n`)).toBe(true);
  expect(JSON.parse(text.slice(NOTICE.length + 1))).toEqual(structuredContent);
  for (const one of textsIn(structuredContent)) expect([...one].length).toBeLessThanOrEqual(200);
  for (const list of listsIn(structuredContent)) expect(list.length).toBeLessThanOrEqual(50);
}

test('brings any record within the bounds', () => {
  fc.assert(
    fc.property(
      fc.object({ maxDepth: 6, maxKeys: 60, values: [fc.string({ unit: 'binary' })] }),
      (record) => {
        expectBounded(answerOf(shownRecord(record)));
      },
    ),
  );
});

test('cuts long texts and lists, and says so', () => {
  const long = shownRecord({ status: 'x'.repeat(201), data: Array.from({ length: 51 }, (_, at) => at) });
  expect(long).toMatchObject({ status: `${'x'.repeat(199)}…`, truncated: true });
  expect(long['data']).toHaveLength(50);
  const whole = { status: 'x'.repeat(200), data: Array.from({ length: 50 }, (_, at) => at) };
  expect(shownRecord(whole)).toEqual(whole);
  const escapes = shownRecord({ status: '\u202e'.repeat(100) });
  expect(String(escapes['status'])).toMatch(/^(?:\\u\{202E\})+…$/);
  expectBounded(answerOf(escapes));
});

test('leaves out what does not fit into 32 KiB', () => {
  const item = { description: '\u{1F600}'.repeat(200) };
  const record = shownRecord({ data: Array.from({ length: 50 }, () => ({ data: Array(50).fill(item) })) });
  expect(record).toMatchObject({ truncated: true });
  expectBounded(answerOf(record));
});

test('asks a page that is too long again, so that the pages hold every record once', async () => {
  const { open, service, account_id } = await openDesk();
  const description = 'ü€😀 '.repeat(100);
  for (let at = 0; at < 70; at += 1) {
    await service.passports.create(
      {
        domain: 'example.com',
        agent_name: `agent-${at}`,
        allowed_actions: [],
        monetary_limit_per_txn: 0,
        description,
      },
      { account_id },
    );
  }
  const { call } = await open(['passports:read']);
  const ids: unknown[] = [];
  let cursor: unknown;
  do {
    const answer = await call('find_passports', cursor === undefined ? {} : { cursor });
    expectBounded(answer);
    expect(recordOf(answer)).toMatchObject({ truncated: true });
    ids.push(...itemsOf(answer).map((item) => item['agent_id']));
    cursor = recordOf(answer)['next_cursor'] ?? undefined;
  } while (cursor !== undefined);
  expect(new Set(ids).size).toBe(71);
  expect(ids).toHaveLength(71);
});

test('shows a whole cursor, however long the ids are', async () => {
  const { open, service, account_id } = await openDesk();
  const label = 'x'.repeat(60);
  const domain = `${label}.${label}.${label}.example`;
  const fields = { domain, allowed_actions: [], monetary_limit_per_txn: 0 };
  for (const agent_name of ['a', 'b', 'c'].map((letter) => letter.repeat(60)))
    await service.passports.create({ ...fields, agent_name }, { account_id });
  const { call } = await open(['passports:read']);
  const found: unknown[] = [];
  let cursor: unknown = null;
  do {
    const answer = await call('find_passports', { limit: 1, ...(cursor !== null && { cursor }) });
    expect(answer.isError).toBe(undefined);
    found.push(...itemsOf(answer));
    cursor = recordOf(answer)['next_cursor'];
    if (found.length === 1) expect(String(cursor).length).toBeGreaterThan(200);
  } while (cursor !== null);
  expect(found).toHaveLength(4);
});

test('answers each tool within the bounds, also for arguments that are wrong', async () => {
  const { open, agent_id } = await openDesk();
  const { call } = await open();
  const wrong = [
    {},
    { agent_id: 7 },
    { agent_id: 'x'.repeat(1_000) },
    { limit: 51 },
    { [`x${'y'.repeat(500)}`]: 1 },
  ];
  for (const { name } of TOOLS)
    for (const given of [...wrong, { agent_id }, undefined]) expectBounded(await call(name, given));
});

/** A value of each type but text. */
const RIGHT: Readonly<Record<string, unknown>> = { object: {}, integer: 1 };

test('denies each argument that the tool does not have, of a wrong type, or that is missing', () => {
  for (const { known } of TOOLS) {
    const whole = Object.fromEntries(
      Object.entries(known)
        .filter(([, { isRequired }]) => isRequired)
        .map(([name, { schema }]) => [name, RIGHT[String(schema['type'])] ?? 'x']),
    );
    expect(checkedArguments(known, whole)).toEqual(whole);
    const refused = (given: object) => () => checkedArguments(known, given);
    for (const name of ['approvalId', 'toString', '__proto__', 'account_id'])
      expect(refused({ ...whole, ...JSON.parse(`{"${name}":1}`) })).toThrow('not valid');
    for (const name of Object.keys(whole)) {
      expect(refused({ ...whole, [name]: 7.5 })).toThrow('not valid');
      expect(refused({ ...whole, [name]: undefined })).toThrow('not valid');
    }
  }
});
