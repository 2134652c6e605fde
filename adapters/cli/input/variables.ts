/** Reads environment variables. */
import { suggestion } from '../../../src/ports/index.ts';
import { usageError } from '../output/error.ts';

const PREFIX = 'AGENT_IDENTITY_';

/** The variables that only commands with `--url` read. If one is empty, only the command that reads it fails. */
type Credential = 'AGENT_IDENTITY_API_KEY' | 'AGENT_IDENTITY_TOKEN';
const CREDENTIALS: readonly string[] = ['API_KEY', 'TOKEN'].map((name) => PREFIX + name);

const SETTINGS: readonly string[] = [
  ...[
    'ACCESS_TOKENS',
    'ALLOW_LOCALHOST',
    'AUDIT_DAYS',
    'AUTHZEN',
    'AUTHZEN_AGENT_DOMAIN',
    'AUTHZEN_CHECK',
    'CONSISTENCY',
    'DEFAULT_PLAN',
    'DOMAIN_PROOF',
  ],
  ...['DURABILITY', 'EMAIL', 'EVIDENCE_LOG', 'JOURNAL', 'LOG', 'METRICS', 'PASSWORD', 'PASSWORD_CONCURRENCY'],
  ...['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ISSUER', 'OIDC_LABEL', 'OIDC_MAP', 'OIDC_SCOPE'],
  ...['PREVIOUS_SECRET', 'PREVIOUS_SECRETS', 'PUBLIC_URL', 'RATE_LIMITS', 'REGISTRATION', 'RETENTION_DAYS'],
  ...['SECRET', 'STORAGE', 'STORAGE_TIMEOUT', 'TRUST_PROXY', 'WEBHOOKS'],
].map((name) => PREFIX + name);

/**
 * Throws for an empty setting, such as a missing secret in a compose file, and for an unknown setting. Otherwise, a
 * default could replace the intended value.
 */
export function refuseLostVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (CREDENTIALS.includes(name)) continue;
    const isOurs = name.startsWith(PREFIX);
    if ((isOurs || name === 'PORT' || name === 'HOST') && value === '') throw isEmpty(name);
    if (!isOurs || SETTINGS.includes(name)) continue;
    // Without what all begin with, which would make any two alike.
    const knownNames = [...SETTINGS, ...CREDENTIALS].map((variable) => variable.slice(PREFIX.length));
    const hint = suggestion(name.slice(PREFIX.length), knownNames).replace(' mean ', ` mean ${PREFIX}`);
    throw usageError(`${name} is set, and there is no such setting.${hint || ' Unset it.'}`);
  }
}

export function readCredential(name: Credential): string | undefined {
  const value = process.env[name];
  if (value === '') throw isEmpty(name);
  return value;
}

function isEmpty(name: string): Error {
  return usageError(`${name} is empty: give it a value, or unset it.`);
}
