/** The behaviour of accounts, sessions, keys and passports, in the simplest form. */

export const KEYS_OF_PLAN = 3;
const SESSION_MS = 3_605_000;

export interface ToyAccount {
  readonly email: string;
  password: string;
  tokenVersion: number;
  disabled: boolean;
}

export interface ToySession {
  readonly token: string;
  readonly account: number;
  readonly tokenVersion: number;
  readonly endsAt: number;
  loggedOut: boolean;
}

export interface ToyKey {
  readonly id: string;
  readonly key: string;
  readonly account: number;
  readonly environment: string;
  scopes: readonly string[];
  readonly agentIds: readonly string[] | null;
  state: 'active' | 'rotating' | 'revoked';
  endsAt: number;
}

export interface ToyPassport {
  readonly account: number;
  readonly endsAt: number;
  version: number;
  /** True if it allows the intent. */
  allows: boolean;
  revoked: boolean;
  /** Not suspended at and after it. */
  suspendedUntil: number;
}

export interface Toy {
  now: number;
  readonly accounts: readonly ToyAccount[];
  readonly sessions: ToySession[];
  readonly keys: ToyKey[];
  readonly passports: Map<string, ToyPassport>;
  readonly domains: Map<string, number>;
}

/** Three accounts, with nothing. */
export function newToy(now: number, password: string): Toy {
  const accounts = ['a', 'b', 'c'].map((name) => ({
    email: `${name}@example.com`,
    password,
    tokenVersion: 1,
    disabled: false,
  }));
  return { now, accounts, sessions: [], keys: [], passports: new Map(), domains: new Map() };
}

/** The account behind a session, or `undefined`. */
export function sessionAccount(toy: Toy, session: ToySession | undefined): number | undefined {
  const account = session && toy.accounts[session.account];
  if (session === undefined || account === undefined || session.loggedOut || account.disabled)
    return undefined;
  if (account.tokenVersion !== session.tokenVersion || session.endsAt <= toy.now) return undefined;
  return session.account;
}

/** A session that begins now. */
export function newSession(toy: Toy, account: number, token: string): ToySession {
  const tokenVersion = toy.accounts[account]?.tokenVersion ?? 0;
  return { token, account, tokenVersion, endsAt: toy.now + SESSION_MS, loggedOut: false };
}

export function keyStatus(toy: Toy, key: ToyKey): string {
  return key.state !== 'revoked' && key.endsAt <= toy.now ? 'expired' : key.state;
}

export function activeKeys(toy: Toy, account: number): number {
  return toy.keys.filter((key) => key.account === account && keyStatus(toy, key) === 'active').length;
}

/** Returns the refusal of a key here: 401, 403, or none. */
export function keyRefusal(toy: Toy, key: ToyKey, scope: string): number | undefined {
  if (!['active', 'rotating'].includes(keyStatus(toy, key)) || toy.accounts[key.account]?.disabled)
    return 401;
  return key.scopes.includes(scope) ? undefined : 403;
}

export function passportStatus(toy: Toy, passport: ToyPassport): string {
  if (passport.revoked) return 'revoked';
  if (passport.suspendedUntil > toy.now) return 'suspended';
  return passport.endsAt <= toy.now ? 'expired' : 'active';
}

/** The codes of a verdict on an action that a passport allows when it is issued. */
export function verdictCodes(toy: Toy, key: ToyKey, agentId: string): readonly string[] {
  const passport = toy.passports.get(agentId);
  const hidden = key.agentIds !== null && !key.agentIds.includes(agentId);
  if (passport === undefined || passport.account !== key.account || hidden) return ['agent_not_found'];
  const codes: string[] = [];
  if (passport.revoked) codes.push('agent_revoked');
  else if (passport.suspendedUntil > toy.now) codes.push('agent_suspended');
  if (passport.endsAt <= toy.now) codes.push('agent_expired');
  if (!passport.allows) codes.push('action_not_allowed');
  return codes;
}
