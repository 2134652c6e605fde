/** The comparison of a permit with the deed that a resource is about to do. */
import { toHex } from '../base/bytes/hex.ts';
import { canonicalJson } from '../base/values/canonical-json.ts';
import { amountText, readAmount } from '../base/values/money.ts';
import { isPlainObject } from '../base/values/plain-data.ts';
import { wholeIntent } from '../base/values/whole-intent.ts';
import type { Intent } from '../records.ts';
import { invalidToken } from './invalid-token.ts';
import type { Permit } from './permit-token.ts';

/**
 * A deed: what the resource is about to do, as it has read it itself, never as the permit says. Each member that the
 * permit has must be here, and each that is here in the permit. With `intent` all parameters are compared as well.
 */
export type PermitDeed =
  | {
      readonly action: string;
      readonly target?: string | undefined;
      /** An exact decimal, as text or number: `'129.90'` and `129.9` are equal. */
      readonly amount?: string | number | undefined;
      readonly currency?: string | undefined;
    }
  | { readonly intent: Intent };

type Members = Readonly<Record<string, unknown>>;

const MEMBERS: readonly string[] = ['action', 'target', 'amount', 'currency'];

/** Throws `deed` unless the permit is for exactly this deed. */
export async function demandDeed(permit: Permit, deed: PermitDeed): Promise<void> {
  if (!(await isPermitted(permit, deed))) throw invalidToken('deed');
}

async function isPermitted(permit: Permit, deed: unknown): Promise<boolean> {
  if (typeof deed !== 'object' || deed === null || !isPlainObject(deed)) return false;
  const members: Members = { ...deed };
  const names = Object.keys(members);
  if (names.length === 1 && names[0] === 'intent')
    return (await digestOf(members['intent'])) === permit.digest;
  if (!names.every((name) => MEMBERS.includes(name)) || members['action'] === undefined) return false;
  const { action, target, amount, currency } = members;
  const isEqual = action === permit.action && target === permit.target && currency === permit.currency;
  return isEqual && canonicalAmount(amount) === permit.amount;
}

/** Returns canonical decimal text; `undefined` without an amount, `null` for what is no exact decimal. */
function canonicalAmount(given: unknown): string | undefined | null {
  if (given === undefined) return undefined;
  const amount = readAmount(given);
  return amount === null ? null : amountText(amount);
}

async function digestOf(intent: unknown): Promise<string | undefined> {
  try {
    const bytes = new TextEncoder().encode(canonicalJson(wholeIntent(intent as Intent)));
    return toHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
  } catch {
    // This is no intent that a service could have judged.
    return undefined;
  }
}
