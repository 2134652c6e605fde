import type { Block, RollupSum, Sums, SumsPart, SumsQuery } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assertEqual } from '../assertions.ts';
import { instant, NOW } from '../fixtures.ts';

export const OF_THE_HOUR: SumsPart = {
  resolution: 'minute',
  kinds: ['verdict'],
  from: NOW,
  to: instant(3_600),
  byStart: false,
};

export async function sumsOf(storage: StorageAdapter, query: Partial<SumsQuery> = {}): Promise<Sums> {
  return storage.journal.sums({
    account_id: 'acc_a',
    environment: 'live',
    agent_id: '',
    parts: [OF_THE_HOUR],
    ...query,
  });
}

export async function sumsUp(
  storage: StorageAdapter,
  query: Partial<SumsPart & Omit<SumsQuery, 'parts'>>,
  expected: readonly Partial<RollupSum>[],
): Promise<void> {
  const { account_id = 'acc_a', environment = 'live', agent_id = '', ...rest } = query;
  const parts = [{ ...OF_THE_HOUR, ...rest }];
  const found = await sumsOf(storage, { account_id, environment, agent_id, parts });
  assertEqual(found.parts.map(inOrder), [whole(expected)], `the sums of ${JSON.stringify(query)}`);
}

export function whole(sums: readonly Partial<RollupSum>[]): readonly object[] {
  return inOrder(sums.map((sum) => ({ start: null, kind: 'verdict', key: '', count: 0, ...sum })));
}

export function inOrder(sums: readonly object[]): readonly object[] {
  const name = (sum: object): string =>
    JSON.stringify(Object.entries(sum).sort(([a], [b]) => (a < b ? -1 : 1)));
  return [...sums].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

export async function isUnmerged(
  storage: StorageAdapter,
  expected: readonly Block[],
  account_id = 'acc_a',
): Promise<void> {
  const { unmerged } = await sumsOf(storage, { account_id });
  const place = ({ writer, seq }: Block): string => `${writer}.${String(seq).padStart(16, '0')}`;
  const sorted = (blocks: readonly Block[]): readonly Block[] =>
    [...blocks].sort((a, b) => (place(a) < place(b) ? -1 : 1));
  assertEqual(sorted(unmerged), sorted(expected), `the unmerged blocks of ${account_id}`);
}
