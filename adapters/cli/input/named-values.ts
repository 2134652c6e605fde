import { InvalidArgumentError } from 'commander';

interface NamedValues {
  readonly whole: readonly string[];
  /** The names whose values are numbers below 1, such as 0.8 for `warn_at`. */
  readonly parts?: readonly string[];
  readonly flags?: readonly string[];
  readonly example: string;
}

export function readBudget(text: string): Record<string, unknown> {
  return readNamed(text, {
    whole: ['count'],
    parts: ['warn_at'],
    flags: ['overrun'],
    example: 'window=day,limit=500 or {"window": "day", "limit": 500}',
  });
}

export function readPace(text: string): Record<string, unknown> {
  return readNamed(text, {
    whole: ['max', 'seconds'],
    example: 'max=5,seconds=60 or {"max": 5, "seconds": 60}',
  });
}

export function readCondition(text: string): Record<string, unknown> {
  return readJson(text, '{"at": "/to", "email_in": ["@example.com"]}');
}

export function readOrder(text: string): Record<string, unknown> {
  const needs = '"needs": {"actions": ["tests.run"], "seconds": 3600}';
  return readJson(text, `{"name": "tested", "actions": ["deploy.run"], ${needs}}`);
}

export function readTrustedIssuer(text: string): Record<string, unknown> {
  return readJson(text, '{"issuer": "https://idp.example", "use": "user"}');
}

export function readApproval(text: string): Record<string, unknown> {
  return readNamed(text, {
    whole: ['seconds', 'count'],
    flags: ['changes'],
    example: 'above=250,actions=payments.refund,seconds=600 or {"above": 250}',
  });
}

/**
 * Parses JSON, or names and values such as `window=day,limit=500`. The value of `actions` has `+` between actions, such
 * as `actions=refunds.*+orders.create`. The service checks the result. Amounts stay texts, which are exact.
 */
function readNamed(text: string, values: NamedValues): Record<string, unknown> {
  const { example } = values;
  if (text.trimStart().startsWith('{')) return readJson(text, example);
  const malformedError = () => malformedAs(example);
  const namedFields: Record<string, unknown> = {};
  for (const part of text.split(',')) {
    const index = part.indexOf('=');
    const name = part.slice(0, index);
    if (index < 1 || Object.hasOwn(namedFields, name)) throw malformedError();
    namedFields[name] = readValue(name, part.slice(index + 1), values);
  }
  return namedFields;
}

function readValue(name: string, text: string, { whole, parts = [], flags = [] }: NamedValues): unknown {
  if (name === 'actions') return text.split('+');
  if (parts.includes(name) && /^0?\.[0-9]{1,9}$/.test(text)) return Number(text);
  if (flags.includes(name) && /^(?:true|false)$/.test(text)) return text === 'true';
  return whole.includes(name) && /^[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

function readJson(text: string, example: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedAs(example);
  }
}

function malformedAs(example: string): InvalidArgumentError {
  return new InvalidArgumentError(`It must be such as ${example}.`);
}
