import { expect, onTestFinished } from 'vitest';
import type { IdentityServiceOptions } from '../../../src/core.ts';
import type { HostActor } from '../../../src/people/host-accounts.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Approval } from '../../../src/records/approval.ts';
import type { Intent, PassportInput, Role, VerdictRecord } from '../../../src/records.ts';
import type { Opened } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';
import { idIn, openTold, SHOPPER } from './stage.ts';

/** A service of an application whose account has people, and a shopper that ann made. */
export interface Team extends Opened {
  readonly agent_id: string;
  /** The approvals that `onApproval` got. */
  readonly told: readonly Approval[];
  readonly ann: HostActor;
  readonly ben: HostActor;
  readonly cleo: HostActor;
  readonly dan: HostActor;
  person(member: string, role: Role): Promise<HostActor>;
  /** A key that this person made. */
  keyOf(actor: HostActor): Promise<string>;
  intentOf(amount?: number): Intent;
  /** The verdict on the intent, asked for by a key. */
  ask(key: string, approval_id?: string, amount?: number): Promise<VerdictRecord>;
  /** The approval that the intent of this key needs. */
  request(key: string, amount?: number): Promise<string>;
  approve(id: string, actor: HostActor): Promise<Approval>;
}

/** Opens a service with ann, an owner, ben and cleo, who approve, and dan, an editor. */
export async function openTeam(
  approval: PassportInput['approval'],
  openStore: (() => Promise<StorageAdapter>) | undefined = stores[0]?.[1],
  options: Partial<IdentityServiceOptions> = {},
): Promise<Team> {
  const opened = await openTold(openStore, options);
  const { service } = opened;
  onTestFinished(() => service.close());
  const person = (member: string, role: Role) => service.actorOf({ account: 'org', member, role });
  const ann = await person('ann', 'owner');
  const [ben, cleo] = [await person('ben', 'approver'), await person('cleo', 'approver')];
  const dan = await person('dan', 'editor');
  const { agent_id } = await service.passports.create({ ...SHOPPER, ...(approval && { approval }) }, ann);
  const intentOf = (amount = 250): Intent => ({
    ...{ agent_id, action: 'payments.create' },
    parameters: { amount, currency: 'EUR' },
  });
  const ask: Team['ask'] = (key, approval_id, amount) =>
    service.verifyAs(key, { ...intentOf(amount), ...(approval_id !== undefined && { approval_id }) });
  return {
    ...{ ...opened, agent_id, ann, ben, cleo, dan, person, intentOf, ask },
    keyOf: async (actor) => (await service.keys.create({ name: 'till' }, actor)).key,
    async request(key, amount) {
      const { reasons } = await ask(key, undefined, amount);
      expect(reasons.map(({ code }) => code)).toEqual(['approval_required']);
      return idIn(reasons);
    },
    approve: (id, actor) => service.approvals.approve(id, {}, actor),
  };
}

/** What `approval_pending` says of the people. */
export function pending(given: number, needed: number): object {
  const message = 'The approval is not decided yet.';
  return { verdict: 'DENY', reasons: [{ code: 'approval_pending', message, given, needed }] };
}

/** What is thrown at a person whose approval does not count. */
export function barred(because: 'requested' | 'widened' | 'changed'): object {
  return { code: 'second_person_required', details: { because } };
}
