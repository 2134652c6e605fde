/** Checks the options of a service early, because a mistake would otherwise appear late or never. */

import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { type RuntimeVersions, unsupportedNode } from '../../base/node-version.ts';
import { PLANS } from '../../base/values/vocabulary.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { unfit } from '../../errors.ts';
import type { WholeCapability } from '../capabilities/capability.ts';
import { checkedCapabilities } from '../capabilities/open-capabilities.ts';
import type { IdentityServiceOptions } from '../identity-service.ts';
import type { CoreOptions, IdentitySettings, PlanLimits } from '../options.ts';

/** The options, with the settings of the capability `identity`. */
export interface CheckedServiceOptions extends CoreOptions {
  readonly capabilities: readonly WholeCapability[];
  readonly identity: IdentitySettings;
}

const KINDS: Readonly<
  Record<keyof IdentityServiceOptions, 'boolean' | 'function' | readonly string[] | 'other'>
> = {
  storage: 'other',
  session: 'other',
  registration: ['open', 'closed'],
  rules: 'other',
  allowLocalhost: 'boolean',
  domainProof: ['claim', 'required', 'off'],
  domainProver: 'other',
  capabilities: 'other',
  plans: 'other',
  defaultPlan: PLANS,
  journal: ['batched', 'strict'],
  consistency: ['default', 'strict'],
  cache: 'other',
  retentionDays: 'other',
  auditDays: 'other',
  clockOk: 'boolean',
  onVerdict: 'function',
  onApproval: 'function',
  onError: 'function',
  metrics: 'other',
  rateLimits: ['on', 'off'],
  log: 'function',
  storageDeadlineMs: 'other',
  passwordConcurrency: 'other',
  proofAudiences: 'other',
  proofMaxSeconds: 'other',
  clock: 'other',
  random: 'other',
  passwordHasher: 'other',
  after: 'function',
};

const MEMBERS: {
  readonly [Name in 'session' | 'cache' | 'plans']: OptionNames<NonNullable<IdentityServiceOptions[Name]>>;
} = {
  session: { secret: true, previousSecret: true, secretLost: true, issuer: true, audience: true },
  cache: { maxEntries: true, maxBytes: true },
  plans: { starter: true, team: true, enterprise: true },
};

const NAMES = Object.fromEntries(
  Object.keys(KINDS).map((name) => [name, true]),
) as OptionNames<IdentityServiceOptions>;
const MAKER = 'createIdentityService';

const PLAN_NUMBERS: OptionNames<PlanLimits> = {
  keys: true,
  passports: true,
  verifications_per_minute: true,
  writes_per_minute: true,
};

const MAX_DEADLINE_MS = 2 ** 31 - 1;

export function checkOptions(options: IdentityServiceOptions): CheckedServiceOptions {
  const { process } = globalThis as { process?: { readonly versions?: RuntimeVersions } };
  const nodeProblem = unsupportedNode(process?.versions ?? {});
  if (nodeProblem !== undefined) throw unfit(nodeProblem);
  if (typeof options !== 'object' || options === null) {
    throw unfit('createIdentityService needs options: createIdentityService({ storage }).');
  }
  for (const name of Object.keys(options)) refuseMoved(name);
  for (const name of Object.keys(options)) refuseMisplaced(name);
  knownOptions(MAKER, options, NAMES);
  for (const [name, value] of Object.entries(options)) checkKind(name as keyof IdentityServiceOptions, value);
  for (const [name, members] of Object.entries(MEMBERS))
    checkMembers(name, members, options[name as keyof typeof MEMBERS]);
  for (const [name, plan] of Object.entries(options.plans ?? {})) checkPlan(`plans.${name}.`, plan);
  checkStorage(options.storage);
  checkMetrics(options.metrics);
  const { storageDeadlineMs = 1_000 } = options;
  wholeNumber('options.storageDeadlineMs', storageDeadlineMs, { from: 1, to: MAX_DEADLINE_MS });
  const capabilities = checkedCapabilities(options.capabilities);
  const { settings: identity = {} } = capabilities.find(({ settings }) => settings !== undefined) ?? {};
  return { ...options, capabilities, identity };
}

function checkKind(name: keyof IdentityServiceOptions, value: unknown): void {
  const kind = KINDS[name];
  if (value === undefined || kind === 'other') return;
  if (typeof kind === 'string') {
    if (typeof value !== kind) throw unfit(`options.${name} must be a ${kind}.`);
  } else if (!kind.includes(value as string)) throw unfit(`options.${name} must be ${kind.join(' or ')}.`);
}

function checkMembers(name: string, members: OptionNames<object>, option: object | undefined): void {
  if (option === undefined) return;
  const outer = Object.keys(Object(option)).find(
    (name) => !Object.hasOwn(members, name) && Object.hasOwn(KINDS, name),
  );
  if (outer !== undefined) throw unfit(`${MAKER}: ${outer} is an option next to ${name}, not in it.`);
  knownOptions<object>(MAKER, option, members, `${name}.`);
}

const MOVED: Readonly<Record<string, string>> = {
  webhooks: 'webhooks({ transport })',
  authzen: 'authzen()',
  identity: 'identity({ … })',
  publicUrl: 'identity({ publicUrl })',
  oidc: 'people({ oidc })',
};

function refuseMoved(name: string): void {
  if (!Object.hasOwn(MOVED, name)) return;
  throw unfit(`${MAKER}: there is no option ${name}. List ${MOVED[name]} in options.capabilities.`);
}

function refuseMisplaced(name: string): void {
  if (Object.hasOwn(KINDS, name)) return;
  const holder = Object.entries(MEMBERS).find(([, members]) => Object.hasOwn(members, name))?.[0];
  if (holder !== undefined)
    throw unfit(`${MAKER}: there is no option ${JSON.stringify(name)}. Did you mean ${holder}.${name}?`);
}

function checkPlan(path: string, plan: Partial<PlanLimits>): void {
  knownOptions(MAKER, plan, PLAN_NUMBERS, path);
  for (const [name, number] of Object.entries(plan)) {
    if (number === null || number === undefined) continue;
    wholeNumber(`options.${path}${name}`, number, { from: 0, to: Number.MAX_SAFE_INTEGER });
  }
}

function checkStorage(storage: unknown): void {
  const advice = 'memoryStorage(), or await sqliteStorage({ file })';
  if (storage === undefined || storage === null) throw unfit(`options.storage is missing: pass ${advice}.`);
  if (storage instanceof Promise) {
    // If the Promise rejects, that must not end the process before this error is seen.
    storage.catch(() => undefined);
    throw unfit('options.storage is a Promise: await it, such as storage: await sqliteStorage({ file }).');
  }
  if (typeof storage === 'function')
    throw unfit('options.storage is a function: call it, such as memoryStorage().');
  const { get, journal } = Object(storage) as { readonly get?: unknown; readonly journal?: unknown };
  if (typeof get !== 'function' || typeof journal !== 'object' || journal === null)
    throw unfit(`options.storage is not a storage: pass ${advice}.`);
}

/** Checks that `metrics` has all functions. A missing function would otherwise fail only at the first verdict. */
function checkMetrics(metrics: unknown): void {
  if (metrics === undefined) return;
  const parts: Readonly<Record<string, unknown>> = Object(metrics);
  const missing = METRICS_PARTS.find((part) => typeof parts[part] !== 'function');
  if (missing !== undefined)
    throw unfit(`options.metrics.${missing} is not a function: pass createMetrics().`);
}

const METRICS_PARTS = ['onVerdict', 'onError', 'onRequest', 'onStorage', 'watch'];
