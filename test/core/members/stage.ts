import { onTestFinished } from 'vitest';
import { passwordHasher } from '../../../src/credential/password.ts';
import { createIdentityService, type ServiceWith } from '../../../src/index.ts';
import { type PeopleCapability, people } from '../../../src/people/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Member } from '../../../src/records/member.ts';
import type { Role } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { PASSWORD, SECRET } from '../../support/service.ts';

const hasher = passwordHasher({ cost: { ln: 4, r: 8, p: 1 } });

type Node = ServiceWith<readonly [PeopleCapability]>;

/** A node over a store, with logins and cheap passwords. */
export function openNode(storage: StorageAdapter): Node {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    session: { secret: SECRET },
    passwordHasher: hasher,
    capabilities: [people()],
  });
  onTestFinished(() => service.close());
  return service;
}

/** Invites a person and uses the link; the member, and its access token. */
export async function join(
  service: Node,
  account_id: string,
  { role, email }: { readonly role: Role; readonly email: string },
): Promise<{ readonly member: Member; readonly token: string }> {
  const { member, link } = await service.members.invite({ role, email }, { account_id });
  const session = await service.acceptLink({ token: link.token, password: PASSWORD });
  return { member, token: session.access_token };
}
