import { type Command, Option } from 'commander';
import { DEFAULT_STORAGE, readStorageUrl, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { openLocalBackend, openLocalVerifier } from './local.ts';
import { openRemoteBackend, openRemoteVerifier } from './remote.ts';
import type { Backend, BackendOptions, Purpose, Verifier } from './verbs.ts';

/** Adds the options of `BackendOptions` to a verb. */
export function addBackendOptions(command: Command, purpose: Purpose): Command {
  return addServiceOptions(command, purpose).addOption(jsonOption());
}

/** The same without `--json`, for a verb that does not print a record. */
export function addServiceOptions(command: Command, purpose: Purpose): Command {
  command.addOption(urlOption()).addOption(storageOption()).option('--account <email>', accountHelp(purpose));
  return purpose === 'verify' ? command : addLoginOptions(command);
}

/** Who signs in at `--url`. */
export function addLoginOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--email <email>',
        'with --url: the account that signs in; its password is AGENT_IDENTITY_PASSWORD',
      )
        .env('AGENT_IDENTITY_EMAIL')
        .default('admin@localhost'),
    )
    .option(
      '--password-file <path>',
      'with --url: the password in a file, - for stdin (or a token in AGENT_IDENTITY_TOKEN)',
    );
}

/** `--url` of a verb. */
export function urlOption(): Option {
  return new Option('--url <base>', 'the service at this address, such as http://localhost:3000/api');
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

/** Returns the result of `use` with the account that the options name, which is closed afterwards. */
export function withBackend<Result>(
  command: Command,
  purpose: 'manage' | 'webhooks',
  use: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  return withOpened(command, use, {
    local: (place, options) => openLocalBackend(place, options, purpose),
    remote: openRemoteBackend,
  });
}

/** Returns the result of `use` with the service that the options name, for one verdict. */
export function withVerifier<Result>(
  command: Command,
  use: (verifier: Verifier) => Promise<Result>,
): Promise<Result> {
  return withOpened(command, use, { local: openLocalVerifier, remote: openRemoteVerifier });
}

interface Doors<Opened> {
  local(place: StoragePlace, options: BackendOptions): Promise<Opened>;
  remote(options: BackendOptions & { readonly url: string }): Promise<Opened>;
}

async function withOpened<Opened extends Pick<Backend, 'close'>, Result>(
  command: Command,
  use: (opened: Opened) => Promise<Result>,
  doors: Doors<Opened>,
): Promise<Result> {
  const opened = await open(command, doors);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

async function open<Opened>(command: Command, { local, remote }: Doors<Opened>): Promise<Opened> {
  const options = command.opts<BackendOptions>();
  const { url, storage, account } = options;
  if (url === undefined) return local(readStorageUrl(storage), options);
  if (command.getOptionValueSource('storage') === 'cli') {
    throw usageError('Name --url or --storage, not both.');
  }
  if (account !== undefined) throw usageError('--account is for --storage; --url has --email.');
  return remote({ ...options, url });
}

function accountHelp(purpose: Purpose): string {
  return purpose !== 'verify'
    ? 'with --storage: the account of the passports and keys; not needed if there is only one'
    : 'with --storage: only the passports of this account';
}
