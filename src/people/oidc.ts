/**
 * Signs people in with an issuer of OpenID Connect: invited members, and people with an account from the `map` of the
 * application.
 */

import type { SignedIn } from '../core/members/members.ts';
import { type Context, now } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, replace } from '../core/storage/store.ts';
import { conflict, IdentityError, unfit } from '../errors.ts';
import type { OidcStart } from '../ports/oidc-provider.ts';
import { check } from '../schema/check.ts';
import {
  assertOneSelf,
  claimedNames,
  isLoginOf,
  loginOf,
  mappedMember,
  type Person,
  type Placed,
  personOf,
  placedBy,
} from './directory.ts';
import type { LinksInside } from './links.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { Session } from './sessions.ts';
import { createSignInSteps, type OidcAnswer, refusalReason, signInRefused } from './sign-in-steps.ts';
import { type CallerOrigin, origin, type Throttle } from './throttle.ts';
import type { ChosenLogin } from './use-link.ts';
import { oidcFinishRequestSchema } from './validators.generated.ts';

/** The input of the second step of a sign-in. */
export interface OidcFinishInput extends OidcAnswer {
  /** The token of a link that invites a member. From then on, the person signs in as this member. */
  readonly link?: string;
}

/** The two steps of a sign-in with an issuer. */
export interface Oidc {
  /**
   * Begins a sign-in.
   *
   * @throws {IdentityError} `not_found` without the option `oidc`.
   * @throws {IdentityError} `service_unreachable` if the issuer does not answer within 5 s.
   * @throws {IdentityError} `rate_limited` if an address has begun 300 sign-ins within 15 minutes that did not succeed.
   */
  start(client?: CallerOrigin): Promise<OidcStart>;
  /**
   * Ends a sign-in, and opens a session.
   *
   * @throws {IdentityError} `invalid_credentials` if the answer is not valid, or the person has no login here.
   * @throws {IdentityError} `rate_limited` after 50 failed sign-ins of an address in 15 minutes; with a link, as for
   * `readLink`.
   * @throws {IdentityError} `not_found` with a link, as for `readLink`.
   * @throws {IdentityError} `conflict` if the person is another member already.
   * @throws {IdentityError} `service_unreachable` as in `start`.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
   */
  finish(input: OidcFinishInput, client?: CallerOrigin): Promise<Session>;
}

/** The dependencies of sign-ins. */
export interface OidcParts {
  readonly links: Pick<LinksInside, 'admit' | 'use'>;
  readonly throttle: Pick<Throttle, 'begin' | 'issuer'>;
  readonly open: (signedIn: SignedIn) => Promise<Session>;
}

/**
 * Returns the name on the sign-in button; `undefined` without the option `oidc`.
 *
 * @throws {IdentityError} `invalid_configuration` for a service without logins.
 */
export function oidcLabelOf(
  options: OidcOptions | undefined,
  { session }: Pick<Context, 'session'>,
): string | undefined {
  if (options === undefined) return undefined;
  if (session !== undefined) return options.label ?? 'single sign-on';
  const message = 'people: oidc needs options.session of the service: a sign-in opens a session.';
  throw unfit(message);
}

/** Makes the sign-ins of one service. */
export function createOidc(
  context: Pick<
    Context,
    | 'store'
    | 'clock'
    | 'random'
    | 'nextEventName'
    | 'secretWatch'
    | 'seal'
    | 'defaultPlan'
    | 'auditDays'
    | 'awaitedAfter'
    | 'log'
  >,
  options: OidcOptions | undefined,
  parts: OidcParts,
): Oidc {
  if (options === undefined) return { start: async () => none(), finish: async () => none() };
  const { provider, map } = options;
  const steps = createSignInSteps(context, provider);

  async function memberFor(
    person: Person,
    link: string | undefined,
    client?: CallerOrigin,
  ): Promise<SignedIn> {
    const placement = map && (await placedBy(context, map, person));
    if (link !== undefined)
      return parts.links.use(link, (signedIn) => linked(context, person, signedIn, placement), client);
    return placement === undefined
      ? invitedMember(context, person)
      : mappedMember(context, person, placement);
  }

  async function logged<Result>(
    client: CallerOrigin | undefined,
    step: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      const facts = { reason: refusalReason(error), ...origin(client) };
      logSecurityEvent(context, 'member.sign_in_refused', facts);
      throw error;
    }
  }

  return {
    start: (client) =>
      logged(client, async () => {
        await parts.throttle.begin(client);
        return steps.start();
      }),

    async finish(input, client) {
      const { link, ...answer } = check<OidcFinishInput>(oidcFinishRequestSchema, input);
      if (link !== undefined) await parts.links.admit(link, client);
      return logged(client, async () => {
        await context.secretWatch.assertShared();
        const claims = steps.finish(answer);
        return parts.throttle.issuer(client, async () =>
          parts.open(await memberFor(personOf(await claims()), link, client)),
        );
      });
    },
  };
}

async function invitedMember({ store }: Pick<Context, 'store'>, person: Person): Promise<SignedIn> {
  const login = await store.get('logins', person.login_id);
  if (login === undefined) throw signInRefused('no_login');
  const [account, member] = await Promise.all([
    store.get('accounts', login.account_id),
    store.get('members', login.member_id),
  ]);
  if (account === undefined || !isLoginOf(login, person, member)) throw signInRefused('no_login');
  if (member.status !== 'active') throw signInRefused('removed');
  if (account.disabled_at !== null) throw signInRefused('account_disabled');
  return { account, member };
}

/**
 * Gives the login of the person to the member for whom the link was created. Takes over the login if it
 * belongs to a removed member.
 */
async function linked(
  context: Pick<Context, 'store' | 'clock'>,
  person: Person,
  { account, member }: SignedIn,
  placement: Placed | undefined,
): Promise<ChosenLogin> {
  const { store } = context;
  if (placement !== undefined && placement.account_id !== account.id)
    throw conflict('The directory places this person in another account. Change it there.');
  await assertOneSelf(context, person, { account_id: account.id, member_id: member.id });
  const present = await store.get('logins', person.login_id);
  const record = loginOf(person, member, now(context));
  const shownRecord = claimedNames(person);
  const fields = {
    email: member.email ?? shownRecord.email,
    name: member.name ?? shownRecord.name,
    login: 'oidc' as const,
    login_id: record.id,
    ...(placement !== undefined && { role: placement.login.role }),
  };
  if (present === undefined) return { fields, steps: [insert('logins', record)] };
  if (present.member_id !== member.id) {
    const holder = await store.get('members', present.member_id);
    if (holder !== undefined && holder.status !== 'removed')
      throw conflict('This person signs in as another member. Remove that member first.');
  }
  return {
    fields,
    steps: [replace('logins', { ...record, version: present.version + 1 }, present.version)],
  };
}

function none(): never {
  throw new IdentityError('not_found', 'No issuer signs people in here. Log in with a password.');
}
