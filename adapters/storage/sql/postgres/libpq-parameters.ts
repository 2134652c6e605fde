/** Reads the parameters of libpq that providers write into URLs and that `pg` does not know. */
import { IdentityError } from '../../../../src/ports/index.ts';

export const LIBPQ_NAMES: readonly string[] = [
  ...['channel_binding', 'connect_timeout', 'gssencmode'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
];

export interface LibpqOptions {
  readonly config: Readonly<Record<string, unknown>>;
  readonly mustBind: boolean;
}

export function isLibpqName(name: string): boolean {
  return LIBPQ_NAMES.includes(name);
}

export function readLibpqOptions(url: string, timeoutMs: number): LibpqOptions {
  const values = new URLSearchParams(url.split('?', 2)[1]);
  const binding = choice(values, 'channel_binding', ['disable', 'prefer', 'require']);
  const isEncrypted = !['disable', undefined].includes(values.get('sslmode') ?? sslOf(values));
  const mustBind = binding === 'require';
  if (mustBind && !isEncrypted) throw misconfigured('channel_binding=require needs an sslmode.');
  if (choice(values, 'gssencmode', ['disable', 'prefer', 'require']) === 'require') {
    throw misconfigured('gssencmode=require cannot be kept: use sslmode.');
  }
  // `pg` has no settings for these: the system decides.
  for (const name of ['keepalives_interval', 'keepalives_count']) whole(values, name);
  const connectMs = (whole(values, 'connect_timeout') ?? 0) * 1_000;
  const idle = whole(values, 'keepalives_idle');
  const isDead = choice(values, 'keepalives', ['0', '1']) === '0';
  return {
    mustBind,
    config: {
      ...(binding !== undefined && binding !== 'disable' && { enableChannelBinding: true }),
      ...(connectMs > 0 && connectMs < timeoutMs && { connectionTimeoutMillis: connectMs }),
      ...(idle && { keepAliveInitialDelayMillis: idle * 1_000 }),
      ...(isDead && { keepAlive: false }),
    },
  };
}

function sslOf(values: URLSearchParams): string | undefined {
  const hasSsl = ['1', 'true'].includes(values.get('ssl') ?? '') || values.has('sslrootcert');
  return hasSsl ? 'require' : undefined;
}

function choice(values: URLSearchParams, name: string, knownNames: readonly string[]): string | undefined {
  const value = values.get(name) ?? undefined;
  if (value === undefined || knownNames.includes(value)) return value;
  throw misconfigured(`${name} must be ${knownNames.join(', ')}.`);
}

function whole(values: URLSearchParams, name: string): number | undefined {
  const value = values.get(name) ?? undefined;
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw misconfigured(`${name} must be a whole number.`);
}

function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', `In the PostgreSQL URL, ${message}`);
}
