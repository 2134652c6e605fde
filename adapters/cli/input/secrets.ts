import { usageError } from '../output/error.ts';
import { readKeptSecret } from '../serve/secret.ts';
import type { StoragePlace } from './storage-url.ts';
import { readSecretFile } from './text-file.ts';

export interface SecretOptions {
  readonly secretFile?: string;
  readonly previousSecretFile?: string;
  /** The path of a JSON array of texts. */
  readonly previousSecretsFile?: string;
}

export interface Secrets {
  /** The secret; absent if you gave no secret and the storage has no stored secret. */
  readonly secret: string | undefined;
  /** The previous secret, present only during a change of the secret. */
  readonly previousSecret: string | undefined;
  /** Further secrets that may still encrypt signing keys or sign sessions. */
  readonly previousSecrets: readonly string[];
}

const LIST = 'AGENT_IDENTITY_PREVIOUS_SECRETS';

export async function readSecrets(
  place: StoragePlace,
  { secretFile, previousSecretFile, previousSecretsFile }: SecretOptions,
): Promise<Secrets> {
  const secret = (await readGiven('AGENT_IDENTITY_SECRET', secretFile)) ?? (await readKeptSecret(place));
  const previousSecret = await readGiven('AGENT_IDENTITY_PREVIOUS_SECRET', previousSecretFile);
  return {
    secret,
    previousSecret,
    previousSecrets: readList(await readGiven(LIST, previousSecretsFile), previousSecretsFile ?? LIST),
  };
}

export async function readSealing(
  place: StoragePlace,
  files: SecretOptions,
  label: string,
): Promise<{ readonly secret: string; readonly previousSecrets: readonly string[] }> {
  const { secret, previousSecret, previousSecrets } = await readSecrets(place, files);
  if (secret === undefined) {
    throw usageError(`Set AGENT_IDENTITY_SECRET or --secret-file: ${label} encrypted with it.`);
  }
  const earlierSecrets = previousSecret === undefined ? [] : [previousSecret];
  return { secret, previousSecrets: [...earlierSecrets, ...previousSecrets] };
}

async function readGiven(variable: string, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? process.env[variable] : readSecretFile(file);
}

/** Parses a list of secrets. The error does not repeat the text. */
function readList(text: string | undefined, name: string): readonly string[] {
  if (text === undefined || text === '') return [];
  const list = parsed(text);
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  throw usageError(`${name} must be a JSON array of texts.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
