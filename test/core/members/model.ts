/** The model of members: what a history may do, and what must hold after each of its steps. */
import { expect } from 'vitest';
import type { MemberRecord } from '../../../src/core/members/collections.ts';
import { firstMemberId } from '../../../src/core/shared/people.ts';
import { passwordHasher } from '../../../src/credential/password.ts';
import { type EventCapability, events } from '../../../src/events/index.ts';
import { createIdentityService, type ServiceWith, type StorageAdapter } from '../../../src/index.ts';
import { type PeopleCapability, people } from '../../../src/people/index.ts';
import type { Role } from '../../../src/records.ts';
import type { MappedPerson, OidcOptions } from '../../../src/types.ts';
import { believing, ISSUER } from '../../oidc/stage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { PASSWORD, SECRET } from '../../support/service.ts';
import { type Mortal, mortal } from './mortal.ts';

const ROLES: readonly Role[] = ['viewer', 'approver', 'editor', 'admin', 'owner'];
const hasher = passwordHasher({ cost: { ln: 2, r: 8, p: 1 } });

/** A token of a link, as its history knows it. */
interface KnownLink {
  readonly token: string;
  readonly email: string | undefined;
  /** How often an answer has said that it was used. */
  uses: number;
}

/** A session, and the member that it is for. */
interface KnownSession {
  readonly token: string;
  readonly member_id: string;
}

type Node = ServiceWith<readonly [EventCapability, PeopleCapability]>;

/** One history over two nodes of a store. */
export interface History {
  /** Takes two random steps at once, one on each node, and looks at what is stored. */
  turn(): Promise<void>;
  readonly account_id: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly nodes: () => readonly Node[];
}

/** Begins a history with names of its own: many share a store. */
export async function openHistory(
  ways: readonly StorageAdapter[],
  random: () => number,
  name: string,
): Promise<History> {
  const emails = ['ann', 'ben', 'cy', 'dan'].map((one) => `${one}-${name}@example.com`);
  const [firstOwner = ''] = emails;
  const counts: Record<string, number> = {};
  const links: KnownLink[] = [];
  const sessions: KnownSession[] = [];
  /** The place of each person of the directory, which changes. */
  const places = new Map<string, MappedPerson | null>();
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  const open = (storage: StorageAdapter): { node: Node; life: Mortal } => {
    const life = mortal(storage);
    const oidc: OidcOptions = { provider: believing, map: ({ sub }) => places.get(sub) ?? null };
    const node = createIdentityService({
      capabilities: [events(), people({ oidc })],
      storageDeadlineMs: PATIENT_MS,
      ...{ storage: life.storage, session: { secret: SECRET }, passwordHasher: hasher, rateLimits: 'off' },
    });
    return { node, life };
  };
  const alive = ways.map(open);
  const [first] = alive;
  if (first === undefined) throw new Error('There is no node.');
  const { id: account_id } = await first.node.accounts.create({ email: firstOwner, password: PASSWORD });
  const host = `host-${name}`;

  async function members(): Promise<readonly MemberRecord[]> {
    const [way] = ways;
    return ((await way?.list('members', { where: { account_id }, limit: 100 })) ??
      []) as readonly MemberRecord[];
  }

  /** The steps, each of which may fail: only what holds afterwards counts. */
  const steps: readonly ((node: Node, who: { readonly account_id: string }) => Promise<void>)[] = [
    async (node, who) => {
      const email = random() < 0.5 ? pick(emails) : undefined;
      const role = pick(ROLES) ?? 'viewer';
      const { link } = await node.members.invite({ role, ...(email !== undefined && { email }) }, who);
      links.push({ token: link.token, email, uses: 0 });
      count('invited');
    },
    async (node, who) => {
      const member = pick(await members());
      if (member === undefined) return;
      const link = await node.members.link(member.id, who);
      links.push({ token: link.token, email: member.email ?? undefined, uses: 0 });
      count('linked');
    },
    acceptLink,
    acceptLink,
    async (node, who) => {
      const link = pick(links);
      const sub = `p${Math.floor(random() * 3)}-${name}`;
      places.set(sub, { account_id: who.account_id, role: pick(ROLES) ?? 'viewer' });
      if (link === undefined) return;
      const { transaction } = await node.oidc.start();
      const response = JSON.stringify({ iss: ISSUER, sub });
      const opened = await node.oidc.finish({ transaction, response, link: link.token });
      link.uses += 1;
      await remember(node, opened.access_token);
      count('accepted by the issuer');
    },
    async (node, who) => {
      const member = pick(await members());
      if (member === undefined) return;
      await node.members.update(member.id, { role: pick(ROLES) ?? 'viewer' }, who);
      count('role');
    },
    async (node, who) => {
      const member = pick(await members());
      if (member === undefined) return;
      await node.members.remove(member.id, {}, who);
      count('removed');
    },
    signIn,
    signIn,
    async (node, who) => {
      const sub = `p${Math.floor(random() * 3)}-${name}`;
      const place = pick([{ account_id: who.account_id }, { account: host }]) ?? { account: host };
      places.set(sub, random() < 0.2 ? null : { ...place, role: pick(ROLES) ?? 'viewer' });
      const { transaction } = await node.oidc.start();
      const response = JSON.stringify({ iss: ISSUER, sub, email: pick(emails) });
      await remember(node, (await node.oidc.finish({ transaction, response })).access_token);
      count('mapped');
    },
    async (node, who) => {
      const place = pick([{ account_id: who.account_id }, { account: host }]) ?? { account: host };
      await node.actorOf({ ...place, member: `h${Math.floor(random() * 2)}`, role: pick(ROLES) ?? 'viewer' });
      count('host');
    },
    async (node) => {
      await node.accounts.disable(firstOwner);
      count('disabled');
      await node.accounts.enable(firstOwner);
    },
  ];

  async function acceptLink(node: Node): Promise<void> {
    const link = pick(links);
    if (link === undefined) return;
    const email = link.email ?? pick(emails);
    const given = { token: link.token, password: PASSWORD, ...(email !== undefined && { email }) };
    const opened = await node.acceptLink(given);
    link.uses += 1;
    await remember(node, opened.access_token);
    count('accepted');
  }

  async function signIn(node: Node): Promise<void> {
    const email = pick(emails) ?? firstOwner;
    await remember(node, (await node.login({ email, password: PASSWORD })).access_token);
    count('signed in');
  }

  async function remember(node: Node, token: string): Promise<void> {
    const { member_id } = await node.authenticateSession(token);
    sessions.push({ token, member_id });
  }

  /** Looks at what is stored, over a way that never dies. */
  async function look(): Promise<void> {
    const all = await members();
    const owners = all.filter(
      ({ role, status, login }) => role === 'owner' && status === 'active' && login === 'password',
    );
    expect(owners.length, 'an owner with an own login').toBeGreaterThan(0);
    for (const { uses } of links) expect(uses, 'uses of a link').toBeLessThanOrEqual(1);
    const [way] = ways;
    const logins = (await way?.list('logins', { where: { account_id }, limit: 200 })) ?? [];
    for (const member of all) {
      const own = logins.filter((login) => login['member_id'] === member.id && login['kind'] !== 'link');
      expect(own.length, `logins of ${member.id}`).toBeLessThanOrEqual(1);
      if (member.status === 'active' && member.login !== 'host')
        expect(own.map(({ id }) => id)).toEqual([member.login_id]);
    }
    const counted = await way?.count(`usage:members:${account_id}`, new Date().toISOString());
    expect(counted, 'the counter').toBe(all.filter(({ status }) => status !== 'removed').length);
    const gone = new Set(all.filter(({ status }) => status === 'removed').map(({ id }) => id));
    const { node } = alive[Math.floor(random() * alive.length)] ?? first ?? { node: undefined };
    for (const { token, member_id } of sessions.slice(-8)) {
      if (gone.has(member_id))
        await expect(node?.authenticateSession(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
  }

  /** Puts a new process in the place of one that was killed. */
  async function revive(): Promise<void> {
    for (const [at, { node, life }] of alive.entries()) {
      const way = ways[at];
      if (!life.isDead() || way === undefined) continue;
      await node.close().catch(() => undefined);
      alive[at] = open(way);
      count('killed');
    }
  }

  return {
    account_id,
    counts,
    nodes: () => alive.map(({ node }) => node),
    async turn() {
      if (random() < 0.3) {
        const { life } = pick(alive) ?? first;
        life.dieAt(1 + Math.floor(random() * 3), random() < 0.5);
      }
      const who = { account_id, ...(random() < 0.3 && { member_id: firstMemberId(account_id) }) };
      await Promise.allSettled(alive.map(({ node }) => pick(steps)?.(node, who)));
      await revive();
      await look();
    },
  };
}
