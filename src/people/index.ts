/** People: the members of accounts, their links, and sign-ins with an issuer of OpenID Connect. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { type AccountLinks, accountLinks } from './account-links.ts';
import { createLinks, type Links } from './links.ts';
import { type AccountMembers, createMembers } from './members.ts';
import { createOidc, type Oidc, oidcLabelOf } from './oidc.ts';
import { assertOidc, type OidcOptions } from './oidc-options.ts';
import { memberOperations } from './operations.ts';

export type { Session } from '../core/accounts/sessions.ts';
export type { CallerOrigin } from '../core/accounts/throttle.ts';
export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { AccountLinks } from './account-links.ts';
export type { AcceptInput, LinkInput, Links } from './links.ts';
export type { MemberChanges, MemberPatch, MemberRemoval } from './member-changes.ts';
export type { AccountMembers, MemberInput, MemberQuery } from './members.ts';
export type { Oidc, OidcFinishInput } from './oidc.ts';
export type { MapPerson, MappedPerson, OidcOptions } from './oidc-options.ts';
export type { OidcAnswer } from './sign-in-steps.ts';

/** The options of `people`. */
export interface PeopleOptions {
  /** Lets people sign in with an issuer of OpenID Connect, next to passwords; needs `session`. */
  readonly oidc?: OidcOptions | undefined;
}

/** The room of members. */
export interface PeopleRooms<Options> {
  /** Manages members: people with roles, and the links with which they join. */
  readonly members: AccountMembers<Options>;
}

/** The methods that people add to a service in process. */
export interface HostPeopleRooms extends PeopleRooms<Actor> {
  /** Returns what a link is for, to the person who has it. The link stays unused. */
  readonly readLink: Links['readLink'];
  /** Uses a link. From now on, the person signs in with the given password. */
  readonly acceptLink: Links['acceptLink'];
  /** Signs people in with an issuer of OpenID Connect; throws `not_found` without the option `oidc`. */
  readonly oidc: Oidc;
}

/** The capability that `people` returns. */
export type PeopleCapability = Capability<HostPeopleRooms, PeopleRooms<CallOptions> & AccountLinks>;

const NAMES: OptionNames<PeopleOptions> = { oidc: true };

/**
 * Returns the capability for members, the links with which they join, and sign-ins with an issuer.
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
  const capability: WholeCapability<HostPeopleRooms, PeopleRooms<CallOptions> & AccountLinks> = {
    name: 'people',
    operations: [memberOperations],
    open(core) {
      const oidcLabel = oidcLabelOf(oidc, core);
      const context = { ...core, mapsPeople: oidc?.map !== undefined };
      const { throttle, open } = core.demanded('signIns');
      const links = createLinks(context, { throttle, open });
      const { readLink, acceptLink } = links;
      return {
        rooms: { members: createMembers(context, { revoke: core.demanded('revokeKey') }) },
        hostRooms: { readLink, acceptLink, oidc: createOidc(core, oidc, { links, throttle, open }) },
        accountRooms: () => accountLinks(links),
        ...(oidcLabel !== undefined && { offers: { oidcLabel } }),
      };
    },
  };
  return capability;
}
