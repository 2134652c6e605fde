/** Reads and checks `hook.json`, the configuration of the hook, for each call. */
import { dirname, isAbsolute } from 'node:path';
import type { Explain, ToolRule } from '../../../src/guard/index.ts';
import { readJson } from '../../../src/http/binding.ts';
import { suggestion } from '../../../src/ports/index.ts';
import { refusal } from './refused.ts';
import { readTrusted } from './trusted-file.ts';

/** A tool mapping in the file. With `ask`, the coding agent asks the person who uses the coding agent. */
export type HookRule = ToolRule & { readonly ask?: boolean };

export interface HookFields {
  readonly agent: string;
  readonly url?: string;
  readonly storage?: string;
  readonly key?: string;
  readonly rules?: string;
  readonly unjudged?: readonly string[];
  readonly subject?: string;
  readonly session?: 'none' | 'host';
  readonly explain?: Explain;
  readonly on_allow?: 'none' | 'allow';
  readonly approvals?: 'deny' | 'wait';
  readonly wait_seconds?: number;
  readonly approval_url?: string;
  readonly timeout_ms?: number;
}

export interface HookConfig extends HookFields {
  readonly file: string;
  readonly tools: Readonly<Record<string, HookRule>>;
  /** The API key for `url`; absent if the key is in a keychain. */
  readonly apiKey?: string;
  readonly waitSeconds: number;
}

type Check = readonly [holds: (value: unknown) => boolean, problem: string];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const oneOf = (...names: readonly string[]): Check => [
  (value) => names.includes(value as string),
  `must be ${names.join(' or ')}`,
];
const whole = (start: number, end: number): Check => [
  (value) => Number.isInteger(value) && Number(value) >= start && Number(value) <= end,
  `must be a whole number from ${start} to ${end}`,
];

const CHECKS: { readonly [Name in keyof Required<HookFields>]: Check } = {
  agent: [isText, 'must be the id of the agent, such as did:web:example.com:agents:coder'],
  url: [isText, 'must be the address of the service'],
  storage: [isText, 'must be a storage such as sqlite:/absolute/file'],
  key: [
    (value) => /^(?:file:\/|file:[A-Za-z]:|keychain:.)/.test(String(value)),
    'must be file:<absolute path> or keychain:<service>',
  ],
  rules: [(value) => isText(value) && isAbsolute(String(value)), 'must be an absolute path'],
  unjudged: [(value) => Array.isArray(value) && value.every(isText), 'must be a list of names of tools'],
  subject: [isText, 'must be a text'],
  session: oneOf('none', 'host'),
  explain: oneOf('message', 'code', 'full'),
  on_allow: oneOf('none', 'allow'),
  approvals: oneOf('deny', 'wait'),
  wait_seconds: whole(1, 540),
  approval_url: [isText, 'must be an https address'],
  timeout_ms: whole(1, 60_000),
};

export async function readHookConfig(file: string, cwd?: string): Promise<HookConfig> {
  const fields = checkFields(
    objectIn(await readTrusted(file, { what: 'the configuration', cwd }), file),
    file,
  );
  const tools = fields.rules === undefined ? {} : await readRules(fields.rules, cwd);
  const key = fields.key?.startsWith('file:') ? fields.key.slice('file:'.length) : undefined;
  const apiKey = key === undefined ? undefined : await readKey(key, cwd);
  const waitSeconds = fields.approvals === 'wait' ? (fields.wait_seconds ?? 50) : 0;
  return { ...fields, file, tools, waitSeconds, ...(apiKey !== undefined && { apiKey }) };
}

/** Returns the folder of the configuration. Tools must not write there. */
export function folderOf({ file }: Pick<HookConfig, 'file'>): string {
  return dirname(file);
}

function checkFields(input: Readonly<Record<string, unknown>>, file: string): HookFields {
  const names = Object.keys(CHECKS);
  for (const [name, value] of Object.entries(input)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof HookFields] : undefined;
    if (check === undefined) throw refusal(`${file} has no field ${name}.${suggestion(name, names)}`);
    if (!check[0](value)) throw refusal(`${file}: ${name} ${check[1]}.`);
  }
  const fields = input as unknown as HookFields;
  if (fields.agent === undefined) throw refusal(`${file}: agent is missing.`);
  if ((fields.url === undefined) === (fields.storage === undefined))
    throw refusal(`${file}: name url or storage, one of them.`);
  if (fields.url !== undefined && fields.key === undefined) throw refusal(`${file}: url needs key.`);
  return fields;
}

async function readRules(path: string, cwd: string | undefined): Promise<HookConfig['tools']> {
  const rules = objectIn(await readTrusted(path, { what: 'the rules', cwd }), path);
  for (const [name, rule] of Object.entries(rules)) {
    const { ask } = Object(rule) as HookRule;
    if (ask !== undefined && typeof ask !== 'boolean')
      throw refusal(`${path}: ask of ${name} must be true or false.`);
  }
  return rules as HookConfig['tools'];
}

async function readKey(path: string, cwd: string | undefined): Promise<string> {
  const bytes = await readTrusted(path, { what: 'the API key', cwd, isSecret: true });
  return new TextDecoder().decode(bytes).trim();
}

export function objectIn(bytes: Uint8Array, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = readJson(bytes);
  } catch (error) {
    throw refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw refusal(`${file} must have one JSON object.`);
}
