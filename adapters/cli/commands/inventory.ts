/** The command that lists unused passports and keys, and the passports whose owner has left. */
import { Option } from 'commander';
import type { ApiKey, Member, Passport } from '../../../src/client.ts';
import type { Backend } from '../backend/methods.ts';
import { table } from '../output/table.ts';
import { accountCommand } from './answering.ts';
import type { CliCommand } from './command.ts';

interface Unused {
  readonly unused_days?: number;
}

interface Inventory {
  readonly passports: readonly Passport[];
  readonly keys: readonly ApiKey[];
  readonly owners_left: readonly Pick<Passport, 'agent_id' | 'owner'>[];
}

const DAYS = 30;

export const inventoryCommand: CliCommand = accountCommand({
  name: 'inventory',
  summary: 'show unused passports and keys, and passports of ex-members',
  fields: {
    unused_days: new Option(
      '--unused-days <number>',
      'number of days without a verdict or request after which the command shows a passport or key, 1 to 365 (default: 30)',
    ).argParser((text) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : text)),
  },
  notes: 'The command also shows each passport whose owner is a removed member of the account.',
  examples: ['agent-identity inventory --unused-days 90 --json'],
  call: (backend, _args, { unused_days = DAYS }: Unused) => inventoryOf(backend, unused_days),
  text: ({ passports, keys, owners_left }) =>
    table([
      ['WHAT', 'ID', 'OWNER', 'LAST USED'],
      ...passports.map(({ agent_id, owner = '-', last_seen_at }) => [
        ...['passport', agent_id, owner, last_seen_at ?? 'never'],
      ]),
      ...keys.map(({ id, created_by, last_used_at }) => [
        ...['key', id, created_by ?? '-', last_used_at ?? 'never'],
      ]),
      ...owners_left.map(({ agent_id, owner = '-' }) => ['owner left', agent_id, owner, '-']),
    ]),
});

async function inventoryOf({ passports, keys, members }: Backend, unused_days: number): Promise<Inventory> {
  const [unusedPassports, allPassports, keysUnused, people] = await Promise.all([
    everyOf<Passport>(passports.list({ limit: 100, unused_days })),
    everyOf<Passport>(passports.list({ limit: 100 })),
    everyOf<ApiKey>(keys.list({ limit: 100, unused_days })),
    everyOf<Member>(members.list({ limit: 100 })),
  ]);
  const present = new Set(people.filter(({ status }) => status !== 'removed').map(({ id }) => id));
  const isOpen = ({ status }: Passport) => status !== 'revoked';
  const hasLeft = ({ owner = '' }: Passport) => owner.startsWith('mem_') && !present.has(owner);
  return {
    passports: unusedPassports.filter(isOpen),
    keys: keysUnused.filter(({ status }) => status === 'active'),
    owners_left: allPassports
      .filter((passport) => isOpen(passport) && hasLeft(passport))
      .map(({ agent_id, owner }) => ({ agent_id, ...(owner !== undefined && { owner }) })),
  };
}

async function everyOf<Item>(
  pages: AsyncIterable<{ readonly data: readonly Item[] }>,
): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const { data } of pages) list.push(...data);
  return list;
}
