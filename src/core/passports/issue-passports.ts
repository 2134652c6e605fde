import { elementsOf } from '../../base/values/plain-data.ts';
import { IdentityError, type IdentityErrorCode } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { Passport, PassportInput } from '../../records.ts';
import type { ClaimDomain } from '../domains/rules.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { answered, groupSteps } from '../storage/step-groups.ts';
import { countStep, logIssued, planPassport } from './issue-passport.ts';
import { type CreateOptions, soundPassport } from './sound-passport.ts';
import type { DrawnPlaces, StatusSlots } from './status-slots.ts';

/** The parts of the service with which passports are issued. */
export type IssuingNeeds = Pick<
  Context,
  | 'store'
  | 'clock'
  | 'nextEventName'
  | 'session'
  | 'plans'
  | 'allowLocalhost'
  | 'claimsDomains'
  | 'proofTerms'
  | 'provesDomains'
  | 'auditDays'
  | 'log'
>;

/** A passport to issue. */
export interface NewPassport {
  readonly input: PassportInput;
  /** The state of the first version; default: active. */
  readonly standing?: PassportStanding | undefined;
}

/** Issues many passports. Returns the passport or the error for each, in the same order. */
export type CreateAll = (
  passports: readonly NewPassport[],
  actor?: Actor,
) => Promise<readonly (Passport | IdentityError)[]>;

interface Parts {
  readonly claimDomain: ClaimDomain | undefined;
  readonly slots: StatusSlots;
  readonly create: (input: PassportInput, actor: Actor, options: CreateOptions) => Promise<Passport>;
}

/**
 * The maximum number of attempts to find free slots. After each attempt, at most half as many slots are still taken.
 */
const MAX_DRAWS = 20;

const OUTAGES: readonly IdentityErrorCode[] = ['internal', 'overloaded', 'storage_unavailable'];

/**
 * Creates the method that issues all passports in one write. If the write fails, the method tries each half, down to
 * single passports with their own errors.
 */
export function createInOneWrite(context: IssuingNeeds, parts: Parts): CreateAll {
  async function issueAll(
    passports: readonly NewPassport[],
    actor: Actor,
  ): Promise<readonly (Passport | IdentityError)[]> {
    const [first, ...otherPassports] = passports;
    if (first === undefined) return [];
    if (otherPassports.length === 0) {
      const { input, standing } = first;
      return [await answerOf(() => parts.create(input, actor, { standing }))];
    }
    const together = await answerOf(() => issueTogether(context, parts, passports, actor));
    if (together !== undefined && !(together instanceof IdentityError)) return together;
    const half = Math.ceil(passports.length / 2);
    const answersBefore = await issueAll(passports.slice(0, half), actor);
    return [...answersBefore, ...(await issueAll(passports.slice(half), actor))];
  }

  return async (passports, actor = {}) => issueAll(elementsOf(passports) as NewPassport[], actor);
}

async function answerOf<Answer>(ask: () => Promise<Answer>): Promise<Answer | IdentityError> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof IdentityError) || OUTAGES.includes(error.code)) throw error;
    return error;
  }
}

/**
 * Issues all passports in one write. If one passport prevents the write, nothing is stored and the result is
 * `undefined`.
 */
async function issueTogether(
  context: IssuingNeeds,
  { claimDomain, slots }: Parts,
  passports: readonly NewPassport[],
  actor: Actor,
): Promise<readonly Passport[] | undefined> {
  const account_id = accountOf(context, actor);
  const sound = passports.map(({ input, standing }) => soundPassport(context, input, standing));
  const ownerOf = once((host: string) => context.store.get('domains', host));
  const plans = await Promise.all(
    sound.map((passport) => planPassport(context, { ...passport, account_id, actor, claimDomain, ownerOf })),
  );
  if (plans.length === 0) return [];
  // A domain is claimed once.
  const hosts = new Map(plans.toReversed().map((plan) => [plan.host, plan]));
  const changes: readonly Change[] = [
    ...[...hosts.values()].flatMap(({ claiming }) => claiming),
    ...plans.flatMap(({ steps }) => steps),
    countStep(context, { by: plans.length, account_id, actor }).count,
  ];
  const drawnPlaces = slots.placesFor(plans.map(({ record }) => record));
  if (!(await writeWithPlaces(context, changes, drawnPlaces))) return undefined;
  for (const plan of plans) {
    logIssued(context, actor, { ...plan, isNewClaim: plan.isNewClaim && hosts.get(plan.host) === plan });
  }
  return plans.map(({ shown }) => shown);
}

async function writeWithPlaces(
  { store }: Pick<Context, 'store'>,
  changes: readonly Change[],
  drawnPlaces: DrawnPlaces,
): Promise<boolean> {
  let places: DrawnPlaces | undefined = drawnPlaces;
  for (let draws = 0; draws < MAX_DRAWS && places !== undefined; draws += 1) {
    const write = groupSteps<'passports' | 'places'>(['passports', changes], ['places', places.steps]);
    const answer = answered(await store.write(...write.changes));
    if (answer.written) {
      places.keep();
      return true;
    }
    // Other slots would not help then.
    if (write.failed(answer).has('passports')) return false;
    places = places.redrawn(write.of('places', answer));
  }
  return false;
}

function once<Answer>(ask: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}
