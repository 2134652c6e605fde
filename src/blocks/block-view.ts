/** A block being read: each column once, when it is needed first. */
import { countedId } from '../base/counted-ids.ts';
import { instantSpeller } from '../base/instant.ts';
import { toAmount } from '../base/money.ts';
import type { Amount, Reason, VerdictRecord } from '../records.ts';
import { amountOf, TEXT_AMOUNT } from './amounts.ts';
import { type ByteReader, createByteReader } from './bytes.ts';
import { type AskContext, readContext } from './context.ts';
import { type Drop, readDrops } from './drops.ts';
import { readFacts } from './facts.ts';
import { COLUMN, orDamaged, splitColumns } from './format.ts';
import { type NameColumn, readNames } from './names.ts';
import { type Fact, type ReasonShape, readTemplate } from './reasons.ts';
import { readRuns } from './runs.ts';

/** The records of a block, by their places in the order of (`evaluated_at`, `decision_id`), and its drops. */
export interface BlockView {
  readonly length: number;
  readonly drops: readonly Drop[];
  /** When each record was made, in milliseconds since the Unix epoch. */
  readonly times: ArrayLike<number>;
  readonly agents: NameColumn;
  readonly actions: NameColumn;
  /** The context of each record by its number. */
  readonly contexts: { readonly numbers: ArrayLike<number>; readonly values: readonly AskContext[] };
  /** The reasons of each record by the number of their shape. */
  readonly reasons: { readonly numbers: ArrayLike<number>; readonly shapes: readonly ReasonShape[] };
  /** One more than the version of the passport; 0 without one. */
  readonly versions: ArrayLike<number>;
  /** The buckets of the latencies. */
  readonly latencies: ArrayLike<number>;
  decisionId(place: number): string;
  record(place: number): VerdictRecord;
}

/** Opens the bytes of a block. Throws a block error, at once or when a column is read, where they are none. */
export function openBlock(data: Uint8Array): BlockView {
  const columns = splitColumns(data);
  const open = (column: number): ByteReader => createByteReader(columns.get(column) ?? new Uint8Array());
  const { length, base, prefix } = orDamaged(() => {
    const head = open(COLUMN.head);
    return { length: head.varint(), base: head.varint(), prefix: head.text() };
  });
  const spellInstant = instantSpeller();
  const names = (column: number) => once(() => readNames(open(column), length));
  const times = once(() => readRuns(open(COLUMN.times), length).map((ms) => base + ms));
  const counts = once(() => readRuns(open(COLUMN.counts), length));
  const latencies = once(() => open(COLUMN.latencies).bytes(length));
  const agents = names(COLUMN.agents);
  const actions = names(COLUMN.actions);
  const targets = names(COLUMN.targets);
  const contexts = once(() => {
    const { numbers, texts } = readNames(open(COLUMN.contexts), length);
    return { numbers, values: texts.map(readContext) };
  });
  const reasons = once(() => {
    const { numbers, texts } = readNames(open(COLUMN.reasons), length);
    return { numbers, shapes: texts.map(readTemplate) };
  });
  const versions = once(() => readVersions(open(COLUMN.versions), length));
  const amounts = once(() => {
    const reader = open(COLUMN.amounts);
    return repeat(length, () => readAmount(reader));
  });
  const facts = once(() => {
    const { numbers, shapes } = reasons();
    const known = repeat(length, (place) => shapes[numbers[place] as number]?.facts ?? 0);
    return readFacts(open(COLUMN.facts), known, (place) => amounts()[place] ?? null);
  });
  const requests = once(() => readRequests(columns.get(COLUMN.requests), length));
  const drops = once(() => readDrops(columns.get(COLUMN.drops)));

  function reasonsAt(place: number): readonly Reason[] {
    const { numbers, shapes } = reasons();
    const shape = shapes[numbers[place] as number] as ReasonShape;
    return shape.codes.length === 0 ? NO_REASONS : shape.build(facts()[place] as readonly Fact[]);
  }

  return {
    length,
    get drops() {
      return drops();
    },
    get times() {
      return times();
    },
    get agents() {
      return agents();
    },
    get actions() {
      return actions();
    },
    get contexts() {
      return contexts();
    },
    get reasons() {
      return reasons();
    },
    get versions() {
      return versions();
    },
    get latencies() {
      return latencies();
    },
    decisionId: (place) => countedId(prefix, counts()[place] as number),
    record(place) {
      const target = targets().numbers[place] as number;
      const { numbers, values } = contexts();
      const { environment, dry_run, currency, key_id } = values[numbers[place] as number] as AskContext;
      const reasons = reasonsAt(place);
      const version = versions()[place] as number;
      return {
        verdict: reasons.length === 0 ? 'ALLOW' : 'DENY',
        reasons,
        decision_id: countedId(prefix, counts()[place] as number),
        agent_id: nameAt(agents(), place),
        action: nameAt(actions(), place),
        target: target === 0 ? null : nameAt(targets(), place),
        amount: amounts()[place] ?? null,
        currency,
        passport_version: version === 0 ? null : version - 1,
        environment,
        key_id,
        request_id: requests()[place] ?? null,
        dry_run,
        evaluated_at: spellInstant(times()[place] as number),
      };
    },
  };
}

const NO_REASONS: readonly Reason[] = Object.freeze([]);

/** What `read` gives, asked for once. */
function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= orDamaged(read);
    return value;
  };
}

function nameAt({ numbers, texts }: NameColumn, place: number): string {
  return texts[numbers[place] as number] as string;
}

function readVersions(reader: ByteReader, length: number): ArrayLike<number> {
  if (reader.byte() === 0) return new Float64Array(length).fill(reader.varint());
  const versions = new Float64Array(length);
  for (let place = 0; place < length; place += 1) versions[place] = reader.varint();
  return versions;
}

function readAmount(reader: ByteReader): Amount | null {
  const number = reader.varint();
  return number === TEXT_AMOUNT ? toAmount(reader.text()) : amountOf(number);
}

function readRequests(column: Uint8Array | undefined, length: number): readonly (string | null)[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  return repeat(length, () => (reader.byte() === 0 ? null : reader.text()));
}

/** What `make` gives for each place: `Array.from` takes four times as long. */
function repeat<Value>(length: number, make: (place: number) => Value): Value[] {
  const values: Value[] = [];
  for (let place = 0; place < length; place += 1) values.push(make(place));
  return values;
}
