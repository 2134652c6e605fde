import * as fc from 'fast-check';
import type { Block, BlocksQuery, FiledQuery, RollupDelta, SumsPart } from '../../src/ports/index.ts';
import { instant, NOW } from '../../src/testing/storage-contract/fixtures.ts';
import { NOW_MS } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { withNames } from '../../src/testing/storage-contract/journal/names.ts';

/** What a block is made of, but for its writer and number. */
export type Content = Omit<Block, 'writer' | 'seq'>;

/** A question about rollups and unmerged blocks. */
export interface SumsQuestion {
  readonly account_id: string;
  readonly environment: 'live' | 'test';
  readonly agent_id: string;
  readonly parts: readonly SumsPart[];
}

/** A call of a journal. Writers are numbered; what depends on the calls before it is chosen when it is made. */
export type Call =
  | { readonly call: 'open'; readonly writer: number; readonly at: string }
  | {
      readonly call: 'file';
      readonly writer: number;
      readonly at: string;
      /** How far the flush is from the one before: 1, or a gap, or a late one. */
      readonly step: number;
      readonly contents: readonly Content[];
    }
  | {
      readonly call: 'merge';
      readonly writer: number;
      readonly at: string;
      /** How far it begins from where it should. */
      readonly off: number;
      readonly most: number;
      readonly rollups: readonly RollupDelta[];
    }
  | {
      readonly call: 'compact';
      readonly pick: number;
      readonly most: number;
      readonly content: Content;
      /** Keeps the times and counts of the block whose place is taken. */
      readonly isAsBefore: boolean;
      readonly flaw: 'none' | 'absent' | 'name';
    }
  | { readonly call: 'purge'; readonly what: 'verdicts' | 'rollups' | 'writers'; readonly before: string }
  | { readonly call: 'blocks'; readonly query: BlocksQuery }
  | { readonly call: 'load'; readonly picks: readonly number[] }
  | {
      readonly call: 'filed';
      readonly writer: number;
      readonly range: Pick<FiledQuery, 'from' | 'to' | 'after' | 'limit'>;
    }
  | { readonly call: 'sums'; readonly question: SumsQuestion };

export const ACCOUNTS: readonly string[] = ['acc_a', '\uffff', '\u{10000}'];
export const WRITERS = 3;
export const KINDS = ['verdict', 'agent', 'latency'] as const;

/** Some hashes of names: two share a bit in a filter of 32 bytes, but not in one of 64. */
const NAMES = [
  [3, 4_294_967_295],
  [259, 90],
  [2 ** 31 + 17, 200],
];

const second = fc.integer({ min: -3, max: 12 });
const at = second.map(instant);
const writer = fc.nat({ max: WRITERS - 1 });
/** Most is of one account, for much to happen there. */
const account = fc.constantFrom('acc_a', 'acc_a', ...ACCOUNTS);
const names = fc.subarray(NAMES);

const content: fc.Arbitrary<Content> = fc
  .record({
    account_id: account,
    to: second,
    span: fc.constantFrom(0, 0, 1_500, 3_600_000),
    records: fc.nat({ max: 4 }),
    denied: fc.nat({ max: 4 }),
    flags: fc.nat({ max: 15 }),
    names,
    size: fc.constantFrom(32, 64),
    data: fc.uint8Array({ maxLength: 12 }),
  })
  .map(({ account_id, to, span, records, denied, flags, names: held, size, data }) => {
    const to_ms = NOW_MS + to * 1_000;
    const filter = withNames(size, held);
    return {
      ...{ account_id, from_ms: to_ms - span, to_ms, records },
      ...{ denied: Math.min(records, denied), flags, erased: 0, filter, data },
    };
  });

/** At most one of each account. */
const contents = fc.uniqueArray(content, { maxLength: 3, selector: ({ account_id }) => account_id });

const count = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
  { weight: 1, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER - 500) },
);

const delta: fc.Arbitrary<RollupDelta> = fc.record({
  account_id: account,
  environment: fc.constantFrom('live', 'test'),
  minute: fc.constantFrom(NOW, instant(60), instant(-60), instant(86_400)),
  agent_id: fc.constantFrom('', 'a'),
  kind: fc.constantFrom(...KINDS),
  key: fc.constantFrom('', '__proto__', 'x'),
  count,
});

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const query: fc.Arbitrary<BlocksQuery> = fc
  .record({
    account_id: account,
    from_ms: optional(second.map((away) => NOW_MS + away * 1_000)),
    upto_ms: optional(second.map((away) => NOW_MS + away * 1_000)),
    verdict: optional(fc.constantFrom('ALLOW' as const, 'DENY' as const)),
    flags: optional(fc.integer({ min: 1, max: 15 })),
    names: optional(names),
    after: optional(
      fc.record({
        to_ms: second.map((away) => NOW_MS + away * 1_000),
        writer: writer.map((number) => idOf(number, 0)),
        seq: fc.nat({ max: 9 }),
      }),
    ),
    limit: fc.constantFrom(1, 3, 256),
  })
  .map((fields) => withoutAbsent(fields));

const range = fc
  .record({
    from: fc.nat({ max: 4 }),
    to: fc.nat({ max: 12 }),
    after: optional(fc.record({ seq: fc.nat({ max: 9 }), account_id: account })),
    limit: fc.constantFrom(1, 4, 256),
  })
  .map((fields) => withoutAbsent(fields));

const part: fc.Arbitrary<SumsPart> = fc.record({
  resolution: fc.constantFrom('minute', 'hour', 'day'),
  kinds: fc.subarray([...KINDS]),
  from: fc.constantFrom(instant(-90_000), instant(-60), NOW),
  to: fc.constantFrom(NOW, instant(60), instant(180_000)),
  byStart: fc.boolean(),
});

const question: fc.Arbitrary<SumsQuestion> = fc.record({
  account_id: account,
  environment: fc.constantFrom('live', 'test'),
  agent_id: fc.constantFrom('', 'a'),
  parts: fc.array(part, { maxLength: 3 }),
});

const most = fc.integer({ min: 1, max: 6 });

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ call: fc.constant('open' as const), writer, at }) },
  {
    weight: 14,
    arbitrary: fc.record({
      call: fc.constant('file' as const),
      ...{ writer, at },
      step: fc.constantFrom(1, 1, 1, 1, 2, 0, -1),
      contents: fc.oneof(
        { weight: 19, arbitrary: contents },
        { weight: 1, arbitrary: fc.array(content, { maxLength: 4 }) },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      call: fc.constant('merge' as const),
      ...{ writer, at, most },
      off: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
      rollups: fc.array(delta, { maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant('compact' as const),
      ...{ pick: fc.nat(), most, content, isAsBefore: fc.boolean() },
      flaw: fc.constantFrom('none' as const, 'none' as const, 'absent' as const, 'name' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('purge' as const),
      what: fc.constantFrom('verdicts' as const, 'rollups' as const, 'writers' as const),
      before: fc.oneof({ weight: 9, arbitrary: at }, { weight: 1, arbitrary: fc.constant(instant(90_000)) }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ call: fc.constant('blocks' as const), query }) },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('load' as const),
      picks: fc.array(fc.nat(), { maxLength: 16 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      call: fc.constant('filed' as const),
      ...{ writer, range },
    }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('sums' as const), question }) },
);

/** Calls in a row, on a journal that was empty; the first of them open the writers. */
export const history: fc.Arbitrary<readonly Call[]> = fc
  .array(call, { maxLength: 60, size: 'max' })
  .map((calls) => [...Array(WRITERS).keys()].map(opening).concat(calls));

function opening(number: number): Call {
  return { call: 'open', writer: number, at: NOW };
}

/** The id of a writer: a new one when the one before was forgotten. */
export function idOf(number: number, generation: number): string {
  return `W${number}x${generation}x`.padEnd(18, 'a');
}

/** The fields that have a value. */
type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
