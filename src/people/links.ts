/** Links with which members choose how to sign in. Each link works once. */
import { formatInstant } from '../base/values/instant.ts';
import type { LoginRecord, MemberRecord } from '../core/members/collections.ts';
import { loginIdOf, passwordLogin, passwordLoginId } from '../core/members/login-record.ts';
import type { SignedIn } from '../core/members/members.ts';
import { type Context, now } from '../core/shared/context.ts';
import { insert, replace } from '../core/storage/store.ts';
import { emailErrors, normalizeEmail } from '../credential/email.ts';
import { passwordErrors } from '../credential/password.ts';
import { createSecretText, isSecretText } from '../credential/random-id.ts';
import { IdentityError, invalidRequest } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import type { MemberLink, ReadLink } from '../records/member.ts';
import { check } from '../schema/check.ts';
import type { PeopleContext } from './member-record.ts';
import type { Session } from './sessions.ts';
import { type CallerOrigin, type Throttle, visitorOf } from './throttle.ts';
import {
  type ChooseLogin,
  type ChosenLogin,
  createLinkUse,
  findLink,
  noLink,
  type UseLink,
} from './use-link.ts';
import { acceptRequestSchema, linkRequestSchema } from './validators.generated.ts';

const PREFIX = 'ais_link_';
const HOUR_MS = 3_600_000;
const INVITATION_MS = 7 * 24 * HOUR_MS;
const RESET_MS = 24 * HOUR_MS;

/** The token of a link. */
export interface LinkInput {
  /** The token, `ais_link_…`. */
  readonly token: string;
}

/** The login that the holder of a link chooses. */
export interface AcceptInput extends LinkInput {
  /** The password: 12 to 128 characters, any Unicode. */
  readonly password: string;
  /** The e-mail address to sign in with, if the link has no address. */
  readonly email?: string;
}

/** The methods for the holder of a link, who has no credential. */
export interface Links {
  /**
   * Returns the purpose of a link. The link stays unused.
   *
   * @throws {IdentityError} `not_found` if the link is used, replaced or expired.
   * @throws {IdentityError} `rate_limited` after 50 links of `client` in 15 minutes.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  readLink(input: LinkInput, client?: CallerOrigin): Promise<ReadLink>;
  /**
   * Uses a link. From now on, the member signs in with the password.
   *
   * @throws {IdentityError} `not_found` as for `readLink`.
   * @throws {IdentityError} `already_exists` if another login has the e-mail.
   * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
   * @throws {IdentityError} `rate_limited` as `readLink`.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a password or an e-mail that breaks a rule.
   */
  acceptLink(input: AcceptInput, client?: CallerOrigin): Promise<Session>;
}

/** The dependencies of links. */
export interface LinkParts {
  readonly throttle: Pick<Throttle, 'link'>;
  readonly open: (signedIn: SignedIn) => Promise<Session>;
}

/** Creates a link for a member, and its record. Only this result contains the token. */
export function newLink(
  context: Pick<Context, 'clock' | 'random'>,
  { id: member_id, account_id, status }: Pick<MemberRecord, 'id' | 'account_id' | 'status'>,
): { readonly link: MemberLink; readonly record: LoginRecord } {
  const token = createSecretText(PREFIX, context.random);
  const digest = hashing.sha256Hex(token);
  const lasts = status === 'active' ? RESET_MS : INVITATION_MS;
  const expires_at = formatInstant(context.clock.now() + lasts);
  const base = { id: loginIdOf(digest), account_id, version: 1, created_at: now(context) };
  return {
    link: { token, expires_at },
    record: { ...base, member_id, kind: 'link', digest, password_hash: null, expires_at },
  };
}

/** The methods of links, and the methods that the sign-in with an issuer uses. */
export interface LinksInside extends Links {
  /**
   * Refuses a malformed token without reading the storage, and counts any other token.
   *
   * @throws {IdentityError} `rate_limited` after too many tokens.
   */
  admit(token: string, client: CallerOrigin | undefined): Promise<void>;
  readonly use: UseLink;
}

/** Makes the methods of links of one service. */
export function createLinks(
  context: Pick<
    PeopleContext,
    'store' | 'clock' | 'nextEventName' | 'passwords' | 'mapsPeople' | 'auditDays' | 'log'
  >,
  { throttle, open }: LinkParts,
): LinksInside {
  const use = createLinkUse(context);

  async function admit(token: string, client: CallerOrigin | undefined): Promise<void> {
    if (!isSecretText(token, PREFIX)) throw noLink();
    await throttle.link(client);
  }

  return {
    admit,
    use,

    async readLink(input, client) {
      const { token } = check<LinkInput>(linkRequestSchema, input);
      await admit(token, client);
      const { link, member } = await findLink(context, token);
      const { role, email, name, status } = member;
      return { role, email, name, expires_at: link.expires_at ?? '', resets: status === 'active' };
    },

    async acceptLink(givenInput, client) {
      const { token, password, email } = check<AcceptInput>(acceptRequestSchema, givenInput, (input) => [
        ...(typeof input['email'] === 'string' ? emailErrors(input['email']) : []),
        ...(typeof input['password'] === 'string' ? passwordErrors(input['password']) : []),
      ]);
      await admit(token, client);
      // Before the work of a hash.
      emailFor((await findLink(context, token)).member, email);
      const password_hash = await context.passwords.hash(password, visitorOf(client));
      const choose: ChooseLogin = ({ member }) =>
        passwordFor(context, member, { email: emailFor(member, email), password_hash });
      return open(await use(token, choose, client));
    },
  };
}

function emailFor({ email }: MemberRecord, givenEmail: string | undefined): string {
  const chosenEmail = givenEmail === undefined ? email : normalizeEmail(givenEmail);
  if (chosenEmail !== null && (email === null || email === chosenEmail)) return chosenEmail;
  const [code, message] =
    chosenEmail === null
      ? ['required', 'This field is required: the link names no e-mail address.']
      : ['not_allowed', 'The link is for another e-mail address. Leave this field out.'];
  throw invalidRequest([{ path: '/email', code, message }]);
}

/** Returns the login under this e-mail, if there is one; throws `already_exists` if it belongs to another member. */
async function assertFree(
  { store }: Pick<Context, 'store'>,
  email: string,
  member: MemberRecord,
): Promise<LoginRecord | undefined> {
  const login = await store.get('logins', passwordLoginId(email));
  if (login !== undefined && login.member_id !== member.id)
    throw new IdentityError('already_exists', 'This e-mail belongs to another login. Use another e-mail.');
  return login;
}

async function passwordFor(
  context: Pick<Context, 'store' | 'clock'>,
  member: MemberRecord,
  { email, password_hash }: { readonly email: string; readonly password_hash: string },
): Promise<ChosenLogin> {
  const present = await assertFree(context, email, member);
  const record = passwordLogin(member, email, { password_hash, created_at: now(context) });
  const step =
    present === undefined
      ? insert('logins', record)
      : replace('logins', { ...record, version: present.version + 1 }, present.version);
  return { fields: { email, login: 'password', login_id: record.id }, steps: [step] };
}
