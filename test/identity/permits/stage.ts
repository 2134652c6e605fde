import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Amount, Intent, PassportInput, VerdictRecord } from '../../../src/records.ts';
import { createPermitVerifier, type Permit, type PermitAction } from '../../../src/tokens/proof/index.ts';
import {
  type Opened,
  openLocalService,
  PUBLIC_URL,
  SECRET,
  type WholeOptions,
} from '../../support/service.ts';
import { makeSigner } from '../../support/signers.ts';

export const AUDIENCE = 'https://pay.example';
export const ISSUER = 'did:web:example.com';
export const PAYMENT = {
  action: 'payments.create',
  target: 'did:web:shop.example.net',
  amount: '19.9',
  currency: 'EUR',
};

/** How the signer of the service behaves. */
export type Fault = 'none' | 'throws' | 'hangs' | 'unknown key';

/** A signer that can be made to fail. */
type FaultySigner = Signer & { fault: Fault; signed: number };

function faulty(inner: Signer): FaultySigner {
  const signer = {
    fault: 'none' as Fault,
    signed: 0,
    keys: () => inner.keys(),
    async sign(...given: Parameters<Signer['sign']>) {
      if (signer.fault === 'throws') throw new Error('The module is away.');
      if (signer.fault === 'hangs') return new Promise<never>(() => undefined);
      signer.signed += 1;
      const made = await inner.sign(...given);
      return signer.fault === 'unknown key' ? { ...made, kid: 'A'.repeat(43) } : made;
    },
  };
  return signer;
}

/** A service that issues permits, an agent with a budget, and a resource. */
export interface PermitStage extends Opened {
  readonly agent_id: string;
  readonly signer: FaultySigner;
  /** The records that the hook of the application got. */
  readonly seen: readonly VerdictRecord[];
  intentOf(more?: Partial<Intent>): Intent;
  spent(): Promise<Amount | undefined>;
  use(token: string | null | undefined, action?: PermitAction): Promise<Permit>;
}

/** Opens a service that issues permits. */
export async function openPermits(
  passport: Partial<PassportInput> = {},
  options: WholeOptions = {},
  storage: StorageAdapter = memoryStorage(),
): Promise<PermitStage> {
  const signer = faulty(await makeSigner());
  const seen: VerdictRecord[] = [];
  const opened = openLocalService({
    identity: { signer, publicUrl: PUBLIC_URL, secret: SECRET },
    storageDeadlineMs: 10_000,
    onVerdict: (record) => void seen.push(record),
    storage,
    ...options,
  });
  const { service, clock } = opened;
  const { agent_id } = await service.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['payments.create'],
    monetary_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
    currency: 'EUR',
    budgets: [{ name: 'day', window: 'day', limit: 100 }],
    ...passport,
  });
  const intentOf = (more: Partial<Intent> = {}): Intent => ({
    ...{ agent_id, action: PAYMENT.action, target: PAYMENT.target },
    parameters: { amount: '19.90', currency: 'EUR', order: { lines: [1, null] } },
    permit: { audience: AUDIENCE },
    ...more,
  });
  const spent = async () => (await service.passports.budgets(agent_id)).data[0]?.spent;
  /** A resource of a third party, at the time of the service. */
  const verifyPermit = createPermitVerifier({
    ...{ issuers: [ISSUER], audience: AUDIENCE, once: false, at: clock.now },
    keys: await service.signing.jwks(),
  });
  const use = (token: string | null | undefined, action: PermitAction = PAYMENT) =>
    verifyPermit(token, action);
  return { ...opened, agent_id, intentOf, spent, signer, seen, use };
}
