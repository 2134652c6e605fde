import { type Command, Option } from 'commander';
import { DEFAULT_STORAGE, readStorageUrl, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { openLocalBackend, openLocalVerifier, openLocalWebhooks } from './local.ts';
import type { Backend, BackendOptions, Verifier, WebhookBackend } from './methods.ts';
import { ACCOUNT_NAME } from './named-account.ts';
import { openRemoteBackend, openRemoteVerifier } from './remote.ts';

export function accountOptions(): readonly Option[] {
  const help = `${ACCOUNT_NAME} to use with --storage (default: the only account of the storage)`;
  return [urlOption(), storageOption(), new Option('--account <account>', help), ...loginOptions()];
}

export function verifierOptions(): readonly Option[] {
  const help = `${ACCOUNT_NAME} that owns the agent, only with --storage`;
  return [urlOption(), storageOption(), new Option('--account <account>', help)];
}

export function loginOptions(): readonly Option[] {
  return [
    new Option(
      '--email <email>',
      'e-mail address of the member who logs in at --url; AGENT_IDENTITY_PASSWORD holds the password',
    )
      .env('AGENT_IDENTITY_EMAIL')
      .default('admin@localhost'),
    new Option(
      '--password-file <path>',
      'file with the password for --url, or - for stdin; instead of a password, AGENT_IDENTITY_TOKEN can hold an access token, or AGENT_IDENTITY_API_KEY a management key (see `key create`)',
    ),
  ];
}

export function urlOption(): Option {
  return new Option('--url <base>', 'URL of a running service, such as http://localhost:3000/api');
}

export function storageOption(): Option {
  return new Option(
    '--storage <url>',
    'URL of the storage, in the form sqlite:<file>, postgres://<host> or redis://<host>, or memory: for tests, which loses its data when the process ends; after postgres:// or redis://, you can list several hosts of one database, separated by commas',
  )
    .env('AGENT_IDENTITY_STORAGE')
    .default(DEFAULT_STORAGE);
}

export function jsonOption(): Option {
  return new Option('--json', 'print only the record, as JSON');
}

export function secretFileOption(): Option {
  return new Option(
    '--secret-file <path>',
    'file with the signing secret of serve, which decrypts keys and secrets in --storage; AGENT_IDENTITY_SECRET can hold the secret itself (default: <file>.secret next to a sqlite database)',
  );
}

export function withBackend<Result>(
  command: Command,
  use: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  return withOpened(command, use, { local: openLocalBackend, remote: openRemoteBackend });
}

export function withWebhookBackend<Result>(
  command: Command,
  use: (backend: WebhookBackend) => Promise<Result>,
): Promise<Result> {
  return withOpened(command, use, { local: openLocalWebhooks, remote: openRemoteBackend });
}

export function withVerifier<Result>(
  command: Command,
  use: (verifier: Verifier) => Promise<Result>,
): Promise<Result> {
  return withOpened(command, use, { local: openLocalVerifier, remote: openRemoteVerifier });
}

interface Openers<Opened> {
  local(place: StoragePlace, options: BackendOptions): Promise<Opened>;
  remote(options: BackendOptions & { readonly url: string }): Promise<Opened>;
}

async function withOpened<Opened extends Pick<Backend, 'close'>, Result>(
  command: Command,
  use: (backend: Opened) => Promise<Result>,
  openers: Openers<Opened>,
): Promise<Result> {
  const openedBackend = await open(command, openers);
  try {
    return await use(openedBackend);
  } finally {
    await openedBackend.close();
  }
}

async function open<Opened>(command: Command, { local, remote }: Openers<Opened>): Promise<Opened> {
  const options = command.opts<BackendOptions>();
  const { url, storage, account } = options;
  if (url === undefined) {
    if (command.getOptionValueSource('email') === 'cli') {
      throw usageError(
        '--email is for --url, where it names the account that signs in; --storage has --account.',
      );
    }
    return local(readStorageUrl(storage), options);
  }
  if (command.getOptionValueSource('storage') === 'cli') {
    throw usageError('Name --url or --storage, not both.');
  }
  if (account !== undefined) throw usageError('--account is for --storage; --url has --email.');
  return remote({ ...options, url });
}
