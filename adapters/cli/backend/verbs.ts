import type { IdentityService, Intent, PassportInput, PassportPatch } from '../../../src/index.ts';

type Keys = IdentityService['keys'];
type Passports = IdentityService['passports'];
type Verifications = IdentityService['verifications'];
type Filter = NonNullable<Parameters<Verifications['csv']>[0]>;

/** What the verbs need of a service, wherever it is: in this process over its storage, or behind a URL. */
export interface Backend {
  createKey(input: Parameters<Keys['create']>[0]): ReturnType<Keys['create']>;
  listKeys(page: Parameters<Keys['list']>[0]): ReturnType<Keys['list']>;
  updateKey(id: string, patch: Parameters<Keys['update']>[1]): ReturnType<Keys['update']>;
  rotateKey(id: string, rotation: Parameters<Keys['rotate']>[1]): ReturnType<Keys['rotate']>;
  revokeKey(id: string): Promise<void>;
  createPassport(input: PassportInput): ReturnType<Passports['create']>;
  listPassports(query: Parameters<Passports['list']>[0]): ReturnType<Passports['list']>;
  getPassport(agentId: string): ReturnType<Passports['get']>;
  listPassportVersions(
    agentId: string,
    page: Parameters<Passports['versions']>[1],
  ): ReturnType<Passports['versions']>;
  /** JSON Merge Patch; with `ifVersion` of these versions only. */
  updatePassport(
    agentId: string,
    patch: PassportPatch,
    condition: { readonly ifVersion?: readonly number[] },
  ): ReturnType<Passports['update']>;
  listVerifications(query: Parameters<Verifications['list']>[0]): ReturnType<Verifications['list']>;
  /** Every verdict of the filter as CSV, piece by piece. */
  exportVerifications(filter: Filter): Promise<AsyncIterable<string>>;
  analytics(query: Parameters<IdentityService['analytics']>[0]): ReturnType<IdentityService['analytics']>;
  revoke(input: Parameters<IdentityService['revoke']>[0]): ReturnType<IdentityService['revoke']>;
  suspend(input: Parameters<IdentityService['suspend']>[0]): ReturnType<IdentityService['suspend']>;
  reinstate(input: Parameters<IdentityService['reinstate']>[0]): ReturnType<IdentityService['reinstate']>;
  verify(intent: Intent): ReturnType<IdentityService['verify']>;
  /** Lets go of what the verb has opened. */
  close(): Promise<void>;
}

/** The options that say which service a verb means. */
export interface BackendOptions {
  readonly url?: string;
  readonly storage: string;
  readonly account?: string;
  readonly email: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
}

/** What a verb does to the service: manage as an account, or ask for a verdict. */
export type Purpose = 'manage' | 'verify';
