import { expect } from 'vitest';
import type { IdentityServiceOptions } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Approval } from '../../../src/records/approval.ts';
import type { Intent, PassportInput, VerdictRecord } from '../../../src/records.ts';
import { type Opened, openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

/** A shopper that may pay up to 100 by itself, and refunds nothing without a person. */
export const SHOPPER: PassportInput = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['payments.*', 'quotes.read'],
  monetary_actions: ['payments.*'],
  monetary_limit_per_txn: 10_000,
  currency: 'EUR',
  approval: { above: 100, actions: ['payments.refund'], seconds: 600 },
};

/** How an intent of the shopper differs from another. */
export type Terms = Partial<Intent> & { readonly amount?: number | string };

/** A service with one shopper, and short ways to ask for it. */
export interface Shop extends Opened {
  readonly agent_id: string;
  /** What `onApproval` was given. */
  readonly told: readonly Approval[];
  readonly approvals: Opened['service']['approvals'];
  intentOf(terms?: Terms): Intent;
  ask(terms?: Terms): Promise<VerdictRecord>;
  /** The approval that an intent needs, which a person has not decided yet. */
  request(terms?: Terms): Promise<string>;
  /** The same, approved. */
  approved(terms?: Terms): Promise<string>;
}

/** A service without logins on this store, and the approvals that its hook is told of. */
export async function openTold(
  openStore: (() => Promise<StorageAdapter>) | undefined,
  options: Partial<IdentityServiceOptions>,
): Promise<Opened & { readonly told: readonly Approval[] }> {
  const storage = await openStore?.();
  if (storage === undefined) throw new Error('There is no store.');
  const told: Approval[] = [];
  const onApproval = (approval: Approval) => void told.push(approval);
  return { ...openLocalService({ storage, onApproval, ...options }), storage, told };
}

/** A service without logins, with one shopper. */
export async function openShop(
  openStore: (() => Promise<StorageAdapter>) | undefined = stores[0]?.[1],
  input: Partial<PassportInput> = {},
  options: Partial<IdentityServiceOptions> = {},
): Promise<Shop> {
  const opened = await openTold(openStore, options);
  const { service } = opened;
  const { agent_id } = await service.passports.create({ ...SHOPPER, ...input });
  const intentOf = ({ amount = 250, ...terms }: Terms = {}): Intent => ({
    agent_id,
    action: 'payments.create',
    parameters: { amount, currency: 'EUR', invoice: 'R-1' },
    ...terms,
  });
  const ask = (terms: Terms = {}): Promise<VerdictRecord> => service.verify(intentOf(terms));
  const request = async (terms: Terms = {}): Promise<string> => {
    const { reasons } = await ask(terms);
    expect(reasons.map(({ code }) => code)).toEqual(['approval_required']);
    return idIn(reasons);
  };
  const approved = async (terms: Terms = {}): Promise<string> => {
    const id = await request(terms);
    await service.approvals.approve(id);
    return id;
  };
  return {
    ...opened,
    agent_id,
    intentOf,
    ask,
    request,
    approved,
    approvals: service.approvals,
  };
}

/** The approval that reasons name. */
export function idIn(reasons: VerdictRecord['reasons']): string {
  const id = reasons[0]?.['approval_id'];
  if (typeof id !== 'string') expect.fail(`No approval is named: ${JSON.stringify(reasons)}`);
  return id;
}

/** The codes of the reasons of a verdict. */
export function codesOf({ reasons }: Pick<VerdictRecord, 'reasons'>): readonly string[] {
  return reasons.map(({ code }) => code);
}
