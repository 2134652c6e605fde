import { type Command, Option } from 'commander';
import { DEFAULT_STORAGE, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { openLocalBackend } from './local.ts';
import { createRemoteBackend } from './remote.ts';
import type { Backend, BackendOptions, Purpose } from './verbs.ts';

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

/** What `use` gives back; the service is closed afterwards. */
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
  return purpose !== 'verify'
    ? 'with --storage: the account of the passports and keys; not needed if there is only one'
    : 'with --storage: only the passports of this account';
}
