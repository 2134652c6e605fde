/** What a release that kept verdicts as rows has stored is there as blocks, each verdict once. */
import { describe, expect, test } from 'vitest';
import { allMigrations } from '../../adapters/storage/sql/migrations.ts';
import { openBlock } from '../../src/blocks/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { calls } from './calls.ts';
import { refusalOf } from './sqlite-database.ts';
import { subjects } from './subjects.ts';

const WITH_ROWS = 6;
const ROWS = 20_000;
const ACCOUNTS = ['acc_a', 'acc_b'];
const START_MS = Date.parse('2026-10-01T00:00:00.000Z');

/** One record in seven is denied; two processes, whose ids are of two prefixes, judge by turns. */
function verdictOf(at: number) {
  const isDenied = at % 7 === 0;
  return {
    id: `dec_prefix${at % 3 === 0 ? 'One' : 'Two'}0${String(at).padStart(8, '0')}`,
    account_id: ACCOUNTS[at % 2] ?? '',
    created_at: new Date(START_MS + at * 997).toISOString(),
    verdict: isDenied ? 'DENY' : 'ALLOW',
    reasons: isDenied ? `[{"code":"action_denied","message":"It’s denied."}]` : '[]',
    agent_id: `did:web:example.com:agents:a${at % 11}`,
    action: 'payment.send',
    target: at % 5 === 0 ? null : 'shop.example',
    amount: at % 2 === 0 ? null : '12.34',
    currency: at % 2 === 0 ? null : 'EUR',
    passport_version: at % 13 === 0 ? null : 3,
    environment: at % 4 === 0 ? 'test' : 'live',
    key_id: at % 3 === 0 ? null : 'key_1',
    dry_run: at % 10 === 0 ? 1 : 0,
    reason_codes: isDenied ? ',action_denied,' : '',
    request_id: at % 6 === 0 ? 'req_1' : null,
  };
}

const rows = Array.from({ length: ROWS }, (_, at) => verdictOf(at));

function insertion(): string {
  const columns = Object.keys(verdictOf(0)).join(', ');
  const spell = (value: string | number | null): string =>
    typeof value === 'string' ? `'${value}'` : String(value);
  const values = rows.map((row) => `(${Object.values(row).map(spell).join(', ')})`);
  return `insert into ais_verdicts (${columns}) values ${values.join(', ')}`;
}

/** All records of an account, by id, from its blocks. */
async function recordsOf(
  { journal }: StorageAdapter,
  account_id: string,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  let after: Awaited<ReturnType<typeof journal.blocks>>[number] | undefined;
  for (;;) {
    const headers = await journal.blocks({ account_id, limit: 16, ...(after && { after }) });
    for (const block of await journal.load(headers)) {
      if (block === undefined) throw new Error('A block that is listed is stored.');
      const view = openBlock(block.data);
      expect(view.length).toBe(block.records);
      for (let at = 0; at < view.length; at += 1) {
        const record = view.record(at);
        expect(found.has(record.decision_id)).toBe(false);
        found.set(record.decision_id, record);
      }
    }
    after = headers.at(-1);
    if (after === undefined) return found;
  }
}

function recordFrom(row: ReturnType<typeof verdictOf>) {
  const { id, account_id: _account, created_at, reason_codes: _codes, reasons, dry_run, ...fields } = row;
  return {
    ...fields,
    decision_id: id,
    evaluated_at: created_at,
    reasons: JSON.parse(reasons),
    dry_run: dry_run === 1,
    trace_id: null,
    proof_kid: null,
    ancestor_versions: null,
    budgets: [],
    amount: row.amount === null ? null : 12.34,
  };
}

for (const [name, make] of await subjects()) {
  describe(name, () => {
    test('verdicts as rows become blocks, also when that is broken off', async () => {
      const { open, run } = await make();
      await (await open(allMigrations.slice(0, WITH_ROWS))).close();
      await run(insertion());
      const [first] = allMigrations.slice(WITH_ROWS + 1);
      if (first?.prepare === undefined) throw new Error('The rows are moved by a migration of their own.');
      let pieces = 0;
      const broken: typeof first = {
        ...first,
        prepare: async (connection, dialect) => {
          pieces += 1;
          if (pieces === 3) throw new Error('the disk is full');
          return first.prepare?.(connection, dialect) ?? { rows: 0, isDone: true };
        },
      };
      const releases = [...allMigrations.slice(0, WITH_ROWS + 1), broken];
      expect((await refusalOf(() => open(releases))).message).toContain('the disk is full');

      const storage = await open();
      for (const account_id of ACCOUNTS) {
        const expected = rows.filter((row) => row.account_id === account_id);
        const found = await recordsOf(storage, account_id);
        expect(found.size).toBe(expected.length);
        for (const row of expected) expect(found.get(row.id)).toEqual(recordFrom(row));
      }
      // They are counted in the rollups of before.
      expect(await storage.journal.writers()).toEqual([]);
      expect(await calls['empty sums']?.(storage)).toEqual({ parts: [[]], unmerged: [] });
      await storage.close();
      await expect(run('select 1 from ais_verdicts')).rejects.toThrow(/ais_verdicts/);
    });
  });
}
