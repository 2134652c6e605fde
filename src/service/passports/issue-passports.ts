/** Passports are issued together: one write of many takes little longer than that of one. */
import { elementsOf } from '../../base/plain-data.ts';
import { IdentityError, type IdentityErrorCode } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { Passport, PassportInput } from '../../records.ts';
import type { PassportStanding } from '../../state-records.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { DomainProofs } from './domain-proof.ts';
import { countStep, logIssued, planPassport } from './issue-passport.ts';
import { type CreateOptions, soundPassport } from './sound-passport.ts';
import type { StatusSlots } from './status-slots.ts';

/** A passport to issue. */
export interface NewPassport {
  readonly input: PassportInput;
  /** Absent: it is active. */
  readonly standing?: PassportStanding | undefined;
}

/** Issues many passports: each, or why it is refused, in their order. */
export type CreateAll = (
  passports: readonly NewPassport[],
  actor?: Actor,
) => Promise<readonly (Passport | IdentityError)[]>;

interface Parts {
  readonly proofs: DomainProofs;
  readonly slots: StatusSlots;
  /** Issues one. */
  readonly create: (input: PassportInput, actor: Actor, options: CreateOptions) => Promise<Passport>;
}

/** Errors that are not about a passport. */
const OUTAGES: readonly IdentityErrorCode[] = ['internal', 'overloaded', 'storage_unavailable'];

/** Issues in one write where that is possible, and one by one where it is not: then each has its own answer. */
export function createInOneWrite(context: Context, parts: Parts): CreateAll {
  return async (given, actor = {}) => {
    const passports = elementsOf(given) as NewPassport[];
    const together = await answerOf(() => issueTogether(context, parts, passports, actor));
    if (together !== undefined && !(together instanceof IdentityError)) return together;
    const answers: (Passport | IdentityError)[] = [];
    for (const { input, standing } of passports) {
      answers.push(await answerOf(() => parts.create(input, actor, { standing })));
    }
    return answers;
  };
}

async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer | IdentityError> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IdentityError) || OUTAGES.includes(error.code)) throw error;
    return error;
  }
}

/** All of them; `undefined`, and none is stored, where one of them stands in the way of the others. */
async function issueTogether(
  context: Context,
  { proofs, slots }: Parts,
  passports: readonly NewPassport[],
  actor: Actor,
): Promise<readonly Passport[] | undefined> {
  const account_id = accountOf(context, actor);
  const sound = passports.map(({ input, standing }) => soundPassport(context, input, standing));
  const plans = await Promise.all(
    sound.map((passport) => planPassport(context, { ...passport, account_id, actor, proofs })),
  );
  if (plans.length === 0) return [];
  // A domain is claimed once.
  const hosts = new Map(plans.toReversed().map((plan) => [plan.host, plan]));
  const places = slots.placesFor(plans.map(({ record }) => record));
  const changes: readonly Change[] = [
    ...[...hosts.values()].flatMap(({ claiming }) => claiming),
    ...plans.flatMap(({ steps }) => steps),
    countStep(context, { by: plans.length, account_id, actor }).count,
    ...places.steps,
  ];
  const { written } = await context.store.write(...changes);
  if (!written) return undefined;
  places.keep();
  for (const plan of plans) {
    logIssued(context, actor, { ...plan, isNewClaim: plan.isNewClaim && hosts.get(plan.host) === plan });
  }
  return plans.map(({ shown }) => shown);
}
