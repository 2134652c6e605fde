/** A service, a key that may decide, and what a verifier sends. */
import { afterEach } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityServiceOptions } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { ConfirmInput } from '../../../src/records/verifier.ts';
import type { Passport } from '../../../src/records.ts';
import type { IdentityService, KeyCaller } from '../../../src/service.ts';

const opened: IdentityService[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
});

export function open(
  storage: StorageAdapter = memoryStorage(),
  options: Partial<IdentityServiceOptions> = {},
): IdentityService {
  const service = createIdentityService({ storage, ...options });
  opened.push(service);
  return service;
}

export async function callerOf(
  service: IdentityService,
  input: { readonly agent_ids?: readonly string[]; readonly account_id?: string } = {},
): Promise<KeyCaller> {
  const { agent_ids, ...actor } = input;
  const { key } = await service.keys.create(
    { name: 'verifier', scopes: ['verify', 'decide'], ...(agent_ids && { agent_ids }) },
    actor,
  );
  return service.serving.authenticateKey(key);
}

export function issue(service: IdentityService, agent_name: string, parent?: Passport): Promise<Passport> {
  return service.passports.create({
    domain: 'shop.example',
    agent_name,
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 5,
    ...(parent && { parent_agent_id: parent.agent_id }),
  });
}

export const known = ({ version, updated_at }: Passport) => `${version} ${updated_at}`;
/** A request to confirm agents. */
export function ask(agents: ConfirmInput['agents'], wait_ms = 0): ConfirmInput {
  return { turn: 1, agents, wait_ms };
}
