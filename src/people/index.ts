/** People: logins and sessions, the members of accounts, their links, and sign-ins with an issuer. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { Capability, Core, OpenCapability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { HostLogin } from '../records.ts';
import { type AccountLogins, accountLogins } from './account-logins.ts';
import { createAuthenticateHost, type HostActor } from './host-accounts.ts';
import { createLinks, type Links } from './links.ts';
import { type AccountMembers, createMembers } from './members.ts';
import { createOidc, type Oidc, oidcLabelOf } from './oidc.ts';
import { assertOidc, type OidcOptions } from './oidc-options.ts';
import { deletionOperations, memberOperations, passwordOperations } from './operations.ts';
import {
  type AccountDeletions,
  createOwnLogin,
  type HostOwnLogin,
  type PasswordChanges,
} from './own-login.ts';
import { createRegister, type Register } from './register.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { AccountLogins } from './account-logins.ts';
export type { HostActor } from './host-accounts.ts';
export type { AcceptInput, LinkInput, Links } from './links.ts';
export type { MemberChanges, MemberPatch, MemberRemoval } from './member-changes.ts';
export type { AccountMembers, MemberInput, MemberQuery } from './members.ts';
export type { Oidc, OidcFinishInput } from './oidc.ts';
export type { MapPerson, MappedPerson, OidcOptions } from './oidc-options.ts';
export type {
  AccountDeletion,
  AccountDeletions,
  FromClient,
  HostOwnLogin,
  PasswordChange,
  PasswordChanges,
} from './own-login.ts';
export type { Register } from './register.ts';
export type { LogoutInput, Session, Sessions } from './sessions.ts';
export type { OidcAnswer } from './sign-in-steps.ts';
export type { CallerOrigin } from './throttle.ts';

/** The options of `people`. */
export interface PeopleOptions {
  /** Lets people sign in with an issuer of OpenID Connect, next to passwords; needs `session`. */
  readonly oidc?: OidcOptions | undefined;
}

/** The object `members`, and the methods that need the password of the acting member. */
export interface PeopleRooms<Options> extends PasswordChanges<Options>, AccountDeletions<Options> {
  /** Manages members: people with roles, and the links with which they join. */
  readonly members: AccountMembers<Options>;
}

/** The methods that the capability `people` adds to a service in process. */
export interface HostPeopleRooms extends Pick<PeopleRooms<Actor>, 'members'>, HostOwnLogin {
  /** Opens a session; throws the same `invalid_credentials` for a wrong e-mail and a wrong password. */
  readonly login: Sessions['login'];
  /** Ends the session of a token at once, on every node. */
  readonly logout: Sessions['logout'];
  /**
   * Returns the caller of a session token.
   *
   * @throws {IdentityError} `unauthenticated` if the token is not valid now.
   */
  readonly authenticateSession: Sessions['authenticate'];
  /** Opens an account for anyone, if `registration` is `open`. */
  readonly register: Register;
  /** Returns the purpose of a link, for the person who has it. The link stays unused. */
  readonly readLink: Links['readLink'];
  /**
   * Returns the actor for a person whom the application has signed in. The first call for an organisation opens its
   * account.
   *
   * @throws {IdentityError} `invalid_request` if the login breaks a rule.
   * @throws {IdentityError} `unauthenticated` if the person may not act.
   * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
   */
  actorOf(login: HostLogin): Promise<HostActor>;
  /** Uses a link. From now on, the person signs in with the given password. */
  readonly acceptLink: Links['acceptLink'];
  /**
   * Signs people in with an issuer of OpenID Connect.
   *
   * @throws {IdentityError} `not_found` without the option `oidc`.
   */
  readonly oidc: Oidc;
}

/** The capability that `people` returns. */
export type PeopleCapability = Capability<HostPeopleRooms, PeopleRooms<CallOptions> & AccountLogins>;

const NAMES: OptionNames<PeopleOptions> = { oidc: true };

/**
 * Returns the capability with which people sign in: logins and sessions, members, the links with which they join, and
 * an issuer. Without it, no access token of a login is accepted.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { people } from 'agent-identity-service/people';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const session = { secret: 'a secret of 32 characters or more' };
 * const service = createIdentityService({ storage: memoryStorage(), session, capabilities: [people()] });
 * const { id: account_id } = await service.accounts.create({
 *   email: 'ann@example.com',
 *   password: 'a-long-password-of-ann',
 * });
 * const { member } = await service.members.invite({ role: 'viewer' }, { account_id });
 * console.log(member.status); // invited
 */
export function people(options: PeopleOptions = {}): PeopleCapability {
  const { oidc } = knownOptions('people', options, NAMES);
  assertOidc(oidc);
  const capability: WholeCapability<HostPeopleRooms, PeopleRooms<CallOptions> & AccountLogins> = {
    name: 'people',
    operations: [passwordOperations, deletionOperations, memberOperations],
    open: (core) => openPeople(core, oidc),
  };
  return capability;
}

function openPeople(core: Core, oidc: OidcOptions | undefined): OpenCapability {
  const oidcLabel = oidcLabelOf(oidc, core);
  const context = { ...core, mapsPeople: oidc?.map !== undefined };
  const throttle = createThrottle(core);
  const { open, end, login, logout, authenticate } = createSessions(core, throttle);
  const links = createLinks(context, { throttle, open });
  const wakeErasures = core.demanded('wakeErasures');
  const authenticateHost = createAuthenticateHost(core);
  return {
    rooms: {
      '': createOwnLogin(core, { throttle, wakeErasures }),
      members: createMembers(context, { revoke: core.demanded('revokeKey') }),
    },
    hostRooms: {
      login,
      logout,
      authenticateSession: authenticate,
      register: createRegister(core, throttle),
      readLink: links.readLink,
      acceptLink: links.acceptLink,
      async actorOf(login: HostLogin): Promise<HostActor> {
        const { account_id, member_id } = await authenticateHost(login);
        return { account_id, member_id };
      },
      oidc: createOidc(core, oidc, { links, throttle, open }),
    },
    accountRooms: (actor) => accountLogins(links, end, actor),
    offers: { authenticateHost, ...(oidcLabel !== undefined && { oidcLabel }) },
  };
}
