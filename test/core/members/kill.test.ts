/** Owners invite, demote and remove each other while the nodes that answer are killed: an owner is always there, a link works once. */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { MemberRecord } from '../../../src/core/members/collections.ts';
import { firstMemberId } from '../../../src/core/shared/people.ts';
import { passwordHasher } from '../../../src/credential/password.ts';
import { createIdentityService, type ServiceWith } from '../../../src/index.ts';
import { type PeopleCapability, people } from '../../../src/people/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { NewMember } from '../../../src/records/member.ts';
import { survivingStores } from '../../support/kills.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { PASSWORD } from '../../support/service.ts';
import { AGAIN_MS, type Method, type Nodes, type Reply, startNodes } from '../spending/killed-nodes.ts';
import { KILLS, workUnderKills } from '../spending/killing.ts';
import { allOf } from '../spending/stored.ts';

const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
/** The secret of the program. */
const SECRET = 'a secret of the nodes that are killed';

/** Where the owners of an account ask, and what killed nodes have stored and answered to no client. */
interface Desk {
  readonly nodes: Nodes;
  readonly storage: StorageAdapter;
  /** Another node, which is not killed. */
  readonly service: ServiceWith<readonly [PeopleCapability]>;
  readonly unheard: Map<string, string>;
}

test.each(survivingStores())(
  `on %s an owner is always there and a link works once over ${KILLS} kill -9`,
  { timeout: 1_800_000 },
  async (name, make) => {
    const store = await make();
    onTestFinished(() => store.remove());
    const storage = await store.open();
    const service = createIdentityService({
      capabilities: [people()],
      ...{ storage, session: { secret: SECRET }, storageDeadlineMs: PATIENT_MS },
      passwordHasher: passwordHasher({ cost: { ln: 2, r: 8, p: 1 } }),
    });
    onTestFinished(() => service.close());
    const nodes = startNodes(store.url, store.nodes, { program: NODE });
    onTestFinished(() => nodes.end());
    const desk: Desk = { nodes, storage, service, unheard: new Map() };
    const joined = await workUnderKills(name, desk, desk.unheard, (index) => changeHands(desk, index));
    expect(desk.unheard.size).toBeGreaterThan(0);
    const events = await allOf(storage, 'events');
    const members = events.flatMap(({ type, data }) =>
      type === 'member.joined' ? [String(data['member_id'])] : [],
    );
    // The first owner of each account joins by opening it.
    expect(members.filter((id) => joined.includes(id)).sort()).toEqual([...joined].sort());
  },
);

/** An account whose first owner invites another one; then both take the other's role at once. The id of who joined. */
async function changeHands(desk: Desk, index: number): Promise<string> {
  const { nodes, service } = desk;
  const { id: account_id } = await service.accounts.create({
    email: `ann-${index}@example.com`,
    password: PASSWORD,
  });
  const firstOwner = firstMemberId(account_id);
  const who = { account_id };
  const email = `ben-${index}@example.com`;
  const invited = await nodes.untilAnswered('invite', [{ role: 'owner', email }, who]);
  const { member, link } = invited as NewMember;
  const token = await joinOnce(desk, member.id, link.token);
  expect(await ownersOf(desk, account_id)).toEqual([firstOwner, member.id].sort());

  const [first, second] = [firstOwner, member.id].map((id) => ({ ...who, member_id: id }));
  const replies = await Promise.all([
    last(desk, index % 2 === 0 ? 'remove' : 'update', [
      member.id,
      index % 2 === 0 ? {} : { role: 'viewer' },
      first,
    ]),
    last(desk, 'update', [firstOwner, { role: 'viewer' }, second]),
  ]);
  const owners = await ownersOf(desk, account_id);
  expect(owners).toHaveLength(1);
  expect(replies.filter(({ code }) => code === 'conflict')).toHaveLength(1);
  const [owner] = owners;
  const [{ status } = { status: undefined }] = (await membersOf(desk, account_id)).filter(
    ({ id }) => id === member.id,
  );
  expect(status).toBe(owner === firstOwner && index % 2 === 0 ? 'removed' : 'active');
  const session = service.authenticateSession(token);
  if (status === 'removed') await expect(session).rejects.toMatchObject({ code: 'unauthenticated' });
  else
    expect(await session).toMatchObject({
      member_id: member.id,
      role: owner === firstOwner ? 'viewer' : 'owner',
    });
  return member.id;
}

/** Uses a link twice at once: one of both opens a session, or a node that was killed has used it. The token of a session. */
async function joinOnce(desk: Desk, member_id: string, token: string): Promise<string> {
  const { service, unheard } = desk;
  const accept = [{ token, password: PASSWORD }];
  const replies = await Promise.all([last(desk, 'acceptLink', accept), last(desk, 'acceptLink', accept)]);
  const opened = replies.flatMap(({ answer }) =>
    answer === undefined ? [] : [answer as { access_token: string }],
  );
  for (const { code } of replies) expect([undefined, 'not_found']).toContain(code);
  expect(opened.length).toBeLessThanOrEqual(1);
  await expect(service.readLink({ token })).rejects.toMatchObject({ code: 'not_found' });
  const [session] = opened;
  if (session !== undefined) return session.access_token;
  unheard.set(member_id, member_id);
  const { account_id } = (await desk.storage.get('members', member_id)) as unknown as MemberRecord;
  const again = await service.members.link(member_id, { account_id });
  return (await service.acceptLink({ token: again.token, password: PASSWORD })).access_token;
}

/** The last word on a question: it is asked again while a node was killed before it had answered. */
async function last({ nodes }: Desk, method: Method, args: readonly unknown[]): Promise<Reply> {
  for (;;) {
    const reply = await nodes.askOnce(method, args);
    if (reply !== undefined && reply.code !== 'storage_unavailable') return reply;
    await pause(AGAIN_MS);
  }
}

async function membersOf({ storage }: Desk, account_id: string): Promise<readonly MemberRecord[]> {
  return (await storage.list('members', {
    where: { account_id },
    limit: 100,
  })) as unknown as readonly MemberRecord[];
}

/** The active owners of an account, sorted. */
async function ownersOf(desk: Desk, account_id: string): Promise<readonly string[]> {
  const members = await membersOf(desk, account_id);
  return members
    .flatMap(({ id, role, status }) => (role === 'owner' && status === 'active' ? [id] : []))
    .sort();
}
