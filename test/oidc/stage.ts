import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { OidcOptions } from '../../src/core.ts';
import { passwordHasher } from '../../src/credential/password.ts';
import { type EventCapability, events } from '../../src/events/index.ts';
import {
  createIdentityService,
  type IdentityService,
  type ServiceWith,
  type StorageAdapter,
} from '../../src/index.ts';
import { type HostPeopleRooms, type PeopleCapability, people } from '../../src/people/index.ts';
import { createSignInSteps, type OidcAnswer, type StepParts } from '../../src/people/sign-in-steps.ts';
import type { OidcClaims, OidcProvider, OidcStart } from '../../src/ports/index.ts';
import type { LogEvent } from '../../src/ports/storage.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { PASSWORD, SECRET } from '../support/service.ts';

const hasher = passwordHasher({ cost: { ln: 4, r: 8, p: 1 } });

/** The issuer of the claims, where a test names none. */
export const ISSUER = 'https://login.example.com';
export const ANN = 'ann@example.com';

/** A provider that believes what the response says: these tests are about what the service makes of claims. */
export const believing: OidcProvider = {
  start: async () => ({ url: `${ISSUER}/authorize`, transaction: 't' }),
  finish: async (_, response) => JSON.parse(response) as OidcClaims,
};

/** A node with logins, cheap passwords and an issuer. */
export function openNode(
  oidc: Partial<OidcOptions> = {},
  storage: StorageAdapter = memoryStorage(),
): {
  readonly service: ServiceWith<readonly [EventCapability, PeopleCapability]>;
  readonly logs: LogEvent[];
  readonly storage: StorageAdapter;
} {
  const logs: LogEvent[] = [];
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    ...{ storage, session: { secret: SECRET }, passwordHasher: hasher, log: (event) => logs.push(event) },
    capabilities: [events(), people({ oidc: { provider: believing, ...oidc } })],
  });
  onTestFinished(() => service.close());
  return { service, logs, storage };
}

/** Signs a person in, as a browser does that comes back from the issuer. */
export async function signIn(
  service: Pick<HostPeopleRooms, 'oidc'>,
  claims: Partial<OidcClaims>,
  link?: { readonly token: string },
): Promise<string> {
  const { transaction } = await service.oidc.start();
  const response = JSON.stringify({ iss: ISSUER, ...claims });
  const given = { transaction, response, ...(link && { link: link.token }) };
  return (await service.oidc.finish(given)).access_token;
}

/** Opens the account of Ann, its owner. */
export async function openAccount(service: Pick<IdentityService, 'accounts'>): Promise<string> {
  return (await service.accounts.create({ email: ANN, password: PASSWORD })).id;
}

/** The two steps of a sign-in, of a node alone or of a service. */
export interface Steps<Ended> {
  start(): Promise<OidcStart>;
  finish(answer: OidcAnswer): Promise<Ended>;
}

/** The steps of a node alone, without the count of what asks the issuer. */
export function stepsWith(parts: StepParts, provider: OidcProvider): Steps<OidcClaims> {
  const { start, finish } = createSignInSteps(parts, provider);
  return { start, finish: async (answer) => finish(answer)() };
}
