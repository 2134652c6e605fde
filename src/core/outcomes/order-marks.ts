/**
 * Seals and opens the mark of an ALLOW. The mark is a text that names the rules of order that count the outcome. The
 * service adds the mark to the answer, and reads it from the report of the outcome.
 */
import { fromBase64Url, toBase64Url } from '../../base/bytes/base64url.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import type { Seal } from '../../credential/seal.ts';
import { hashing } from '../../platform/index.ts';
import type { Change } from '../../ports/storage.ts';
import type { Outcome } from '../../records/outcome.ts';
import type { Environment, Intent, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { ordersIn } from '../../verdict/takings.ts';
import type { Context } from '../shared/context.ts';
import { KEY_BYTES, markCounter, orderKey } from '../spending/limit-plans.ts';
import { answered } from '../storage/step-groups.ts';
import { notWritten } from '../storage/store.ts';

interface OutcomeMark {
  readonly kind: 'needs' | 'failed';
  readonly seconds: number;
  readonly key: string;
}

export interface OutcomeMarks {
  /** The instant of the verdict, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly marks: readonly OutcomeMark[];
}

export interface MarkOwner {
  readonly account_id: string;
  readonly environment: Environment;
  readonly decision_id: string;
}

/** Returns the mark for the answer; `undefined` if no rule of order counts the outcome. */
export function sealedMark(
  seal: Seal,
  {
    account_id,
    intent,
    passports,
  }: {
    readonly account_id: string;
    readonly intent: Intent;
    readonly passports: readonly PreparedPassport[];
  },
  { decision_id, environment, evaluated_at }: VerdictRecord,
): string | undefined {
  const marks = ordersIn(passports, intent.action).flatMap((taking): readonly OutcomeMark[] => {
    const { kind, seconds } = taking.order;
    if (!taking.isMarked || kind === 'forbids') return [];
    return [{ kind, seconds, key: orderKey(taking, environment, intent) }];
  });
  if (marks.length === 0) return undefined;
  const packedBytes = pack({ at: parseInstant(evaluated_at) ?? 0, marks });
  return seal.closeBytes(purposeOf({ account_id, environment, decision_id }), packedBytes);
}

/** Returns the marks; `undefined` if the text was altered, or sealed for another verdict. */
export function openedMark(seal: Seal, owner: MarkOwner, text: string): OutcomeMarks | undefined {
  const packedBytes = seal.openBytes(purposeOf(owner), text);
  return packedBytes && unpack(packedBytes);
}

function purposeOf({ account_id, environment, decision_id }: MarkOwner): string {
  return `mark ${environment} ${decision_id} ${account_id}`;
}

/**
 * The number of bytes of a packed mark: 6 for the instant, then for each mark 3 for kind and seconds, followed by its
 * key.
 */
const AT_BYTES = 6;
const HEAD_BYTES = 3;
const MARK_BYTES = HEAD_BYTES + KEY_BYTES;

/** The bit of the kind `failed`, above the bits of the seconds. */
const FAILED = 1 << 20;

function pack({ at, marks }: OutcomeMarks): Uint8Array {
  const bytes = new Uint8Array(AT_BYTES + marks.length * MARK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(at / 2 ** 32));
  view.setUint32(2, at % 2 ** 32);
  for (const [place, { kind, seconds, key }] of marks.entries()) {
    const start = AT_BYTES + place * MARK_BYTES;
    const head = (kind === 'failed' ? FAILED : 0) | seconds;
    bytes.set([head >>> 16, (head >>> 8) & 0xff, head & 0xff], start);
    bytes.set(fromBase64Url(key) ?? [], start + HEAD_BYTES);
  }
  return bytes;
}

function unpack(bytes: Uint8Array): OutcomeMarks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const atMs = view.getUint16(0) * 2 ** 32 + view.getUint32(2);
  const marks: OutcomeMark[] = [];
  for (let start = AT_BYTES; start < bytes.length; start += MARK_BYTES) {
    const head = (view.getUint16(start) << 8) | view.getUint8(start + 2);
    const key = toBase64Url(bytes.subarray(start + HEAD_BYTES, start + MARK_BYTES));
    marks.push({ kind: (head & FAILED) === 0 ? 'needs' : 'failed', seconds: head & (FAILED - 1), key });
  }
  return { at: atMs, marks };
}

/**
 * Counts an outcome for the rules of order, once for each verdict. The time of a mark starts at the verdict, not at the
 * report.
 */
export async function countOutcome(
  { store, clockWatch }: Pick<Context, 'store' | 'clockWatch'>,
  { at: evaluatedMs, marks }: OutcomeMarks,
  { decision_id, outcome }: { readonly decision_id: string; readonly outcome: Outcome },
): Promise<void> {
  if (outcome !== 'succeeded' && outcome !== 'failed') return;
  const { at, signal } = await clockWatch.present();
  const present = formatInstant(at);
  const endOf = ({ seconds }: OutcomeMark): number => evaluatedMs + seconds * 1_000;
  const last = Math.max(...marks.map(endOf));
  if (last <= at) return;
  const counter = `order-outcome:${hashing.sha256Hex(decision_id)}`;
  const onceChange: Change = {
    op: 'add',
    counter,
    by: 1,
    max: 1,
    at: present,
    expires_at: formatInstant(last),
  };
  const countedChanges = marks
    .filter((mark) => (mark.kind === 'needs') === (outcome === 'succeeded') && endOf(mark) > at)
    .map((mark): Change => {
      const delta = mark.kind === 'needs' ? -1 : 1;
      const expires_at = formatInstant(endOf(mark));
      return {
        op: 'add',
        counter: markCounter(mark.kind, mark.key),
        by: delta,
        at: present,
        expires_at,
        renew: true,
      };
    });
  const { written, failed } = answered(await store.writeUnless(signal, onceChange, ...countedChanges));
  // An earlier report of this verdict has counted.
  if (!written && failed.some(({ step }) => step !== 0)) throw notWritten();
}
