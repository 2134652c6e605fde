import { type Command, Option } from 'commander';
import type { IdentityService, Intent, PassportInput, PassportPatch } from '../../../src/index.ts';
import { DEFAULT_STORAGE, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { openLocalBackend } from './local.ts';
import { createRemoteBackend } from './remote.ts';

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

/** Adds the options of `BackendOptions` to a verb. */
export function addBackendOptions(command: Command, purpose: Purpose): Command {
  command
    .option('--url <base>', 'the service at this address, such as http://localhost:3000/api')
    .addOption(storageOption())
    .option('--account <email>', accountHelp(purpose));
  if (purpose === 'manage') {
    command
      .addOption(
        new Option('--email <email>', 'with --url: who signs in; the password is AGENT_IDENTITY_PASSWORD')
          .env('AGENT_IDENTITY_EMAIL')
          .default('admin@localhost'),
      )
      .option(
        '--password-file <path>',
        'with --url: the password in a file, - for stdin (or a token in AGENT_IDENTITY_TOKEN)',
      );
  }
  return command.addOption(jsonOption());
}

/** `--storage`, with the default of `serve`. */
export function storageOption(): Option {
  return new Option(
    '--storage <url>',
    'the storage itself: sqlite:<file>, postgres://…, redis://… or memory:',
  )
    .env('AGENT_IDENTITY_STORAGE')
    .default(DEFAULT_STORAGE);
}

/** `--json` */
export function jsonOption(): Option {
  return new Option('--json', 'print the record as JSON and nothing else');
}

/** What `use` gives back; the service is let go afterwards. */
export async function withBackend<Result>(
  command: Command,
  purpose: Purpose,
  use: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  const options = command.opts<BackendOptions>();
  const backend = await openBackend(command, purpose, options);
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}

async function openBackend(command: Command, purpose: Purpose, options: BackendOptions): Promise<Backend> {
  if (options.url === undefined) return openLocalBackend(readStorageUrl(options.storage), options, purpose);
  if (command.getOptionValueSource('storage') === 'cli') {
    throw usageError('Name --url or --storage, not both.');
  }
  if (options.account !== undefined) throw usageError('--account is for --storage; --url has --email.');
  return createRemoteBackend({ ...options, url: options.url });
}

function accountHelp(purpose: Purpose): string {
  return purpose === 'manage'
    ? 'with --storage: whose passports and keys; not needed where there is one account'
    : 'with --storage: only the passports of this account';
}
