/** A service, a key that may decide, and what a verifier sends. */
import { afterEach } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { toBase64Url } from '../../../src/base/bytes/base64url.ts';
import { idCount, idPrefix, idSpeller } from '../../../src/base/bytes/counted-ids.ts';
import { everyCapability } from '../../../src/capabilities.ts';
import { sentWriter } from '../../../src/core/shared/sent-writer.ts';
import type { KeyCaller } from '../../../src/core.ts';
import { createIdentityService, type IdentityServiceOptions } from '../../../src/index.ts';
import { type Drop, openBlock, packRecords, type SealedBlock } from '../../../src/journal-format/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { ConfirmInput, VerdictsInput } from '../../../src/records/verifier.ts';
import type { Passport, VerdictRecord } from '../../../src/records.ts';
import { recordOf } from '../../journal-format/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import type { PlainService } from '../../support/service.ts';

const opened: PlainService[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
});

export function open(
  storage: StorageAdapter = memoryStorage(),
  options: Partial<IdentityServiceOptions> = {},
): PlainService {
  const capabilities = everyCapability();
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, ...options, capabilities });
  opened.push(service);
  return service;
}

export async function callerOf(
  service: PlainService,
  input: { readonly agent_ids?: readonly string[]; readonly account_id?: string } = {},
): Promise<KeyCaller> {
  const { agent_ids, ...actor } = input;
  const { key } = await service.keys.create(
    { name: 'verifier', scopes: ['verify', 'decide'], ...(agent_ids && { agent_ids }) },
    actor,
  );
  return service.serving.authenticateKey(key);
}

export function issue(service: PlainService, agent_name: string, parent?: Passport): Promise<Passport> {
  return service.passports.create({
    domain: 'shop.example',
    agent_name,
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 5,
    ...(parent && { parent_agent_id: parent.agent_id }),
  });
}

/** The digits of one start of a verifier. */
export const WRITER: string = '0123456789abcdef'.repeat(2);

/** Makes records as the verifier with this key makes them: each under the id of its count. */
export function recordsOf(
  { key_id }: KeyCaller,
  { agent_id }: Passport,
): (count: number, changed?: Partial<VerdictRecord>) => VerdictRecord {
  const spell = idSpeller(`dec_${sentWriter(key_id, WRITER)}`);
  return (count, changed = {}) =>
    recordOf(count, {
      decision_id: spell(count),
      ...{ agent_id, action: 'orders.list', amount: null, currency: null },
      ...{ key_id, verifier: 'local', evaluated_at: new Date().toISOString() },
      ...changed,
    });
}

/** Packs records into one block. */
export function packed(records: readonly VerdictRecord[], drops: readonly Drop[] = []): SealedBlock {
  const [block] = packRecords(
    records.map((record) => ({ record, bucket: 1 })),
    drops,
  );
  return block as SealedBlock;
}

/** The request that files a block. Its number is that of its last record. */
export function sent({ data, erasable }: SealedBlock, seq: number = numberOf(data)): VerdictsInput {
  const subjects = erasable === undefined ? {} : { erasable: toBase64Url(erasable) };
  return { writer: WRITER, seq, block: toBase64Url(data), ...subjects };
}

/** The highest count in the ids of a block; 1 without records. */
function numberOf(data: Uint8Array): number {
  const { length, decisionId } = openBlock(data);
  const ids = Array.from({ length }, (_, place) => decisionId(place));
  return Math.max(1, ...ids.map((id) => idCount(id, idPrefix(id).length)));
}

/** A service, and a verifier that sends to it. */
export interface Sender {
  readonly service: PlainService;
  readonly caller: KeyCaller;
  readonly passport: Passport;
  made(count: number, changed?: Partial<VerdictRecord>): VerdictRecord;
}

export async function senderOf(
  storage: StorageAdapter = memoryStorage(),
  options: Partial<IdentityServiceOptions> = {},
): Promise<Sender> {
  const service = open(storage, options);
  const caller = await callerOf(service);
  const passport = await issue(service, 'a');
  return { service, caller, passport, made: recordsOf(caller, passport) };
}

export const known = ({ version, updated_at }: Passport) => `${version} ${updated_at}`;
/** A request to confirm agents. */
export function ask(agents: ConfirmInput['agents'], wait_ms = 0): ConfirmInput {
  return { turn: 1, agents, wait_ms };
}
