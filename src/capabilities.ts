/** All capabilities of the package, for the command `serve`, for tests and for applications that need everything. */
import { type AccessTokenCapability, type AccessTokenOptions, accessTokens } from './access-tokens/index.ts';
import { type AnalyticsCapability, analytics } from './analytics/index.ts';
import { authzen } from './authzen/index.ts';
import type { AuthzenOptions } from './base/authzen.ts';
import { knownOptions, type OptionNames } from './base/known-options.ts';
import type { Capability, ServiceWith } from './core.ts';
import { type DomainCapability, domains } from './domains/index.ts';
import { type ErasureCapability, erasure } from './erasure/index.ts';
import { type EventCapability, events } from './events/index.ts';
import { type EvidenceCapability, type EvidenceOptions, evidence } from './evidence/index.ts';
import { type IdentityCapability, type IdentityOptions, identity } from './identity/index.ts';
import { type PeopleCapability, type PeopleOptions, people } from './people/index.ts';
import { type ReplayCapability, replay } from './replay/index.ts';
import { type VerifierCapability, verifiers } from './verifiers/index.ts';
import { type WebhookCapability, type WebhookOptions, webhooks } from './webhooks/index.ts';

export type { AccessTokenCapability, AccessTokenOptions } from './access-tokens/index.ts';
export type { AnalyticsCapability } from './analytics/index.ts';
export type { AuthzenOptions } from './base/authzen.ts';
export type { Capability, ServiceWith } from './core.ts';
export type { DomainCapability } from './domains/index.ts';
export type { ErasureCapability } from './erasure/index.ts';
export type { EventCapability } from './events/index.ts';
export type { EvidenceCapability, EvidenceOptions } from './evidence/index.ts';
export type { IdentityCapability, IdentityOptions } from './identity/index.ts';
export type { PeopleCapability, PeopleOptions } from './people/index.ts';
export type { ReplayCapability } from './replay/index.ts';
export type { VerifierCapability } from './verifiers/index.ts';
export type { WebhookCapability, WebhookOptions } from './webhooks/index.ts';

/** The options of `everyCapability`. A capability is left out if a required option is missing. */
export interface EveryCapabilityOptions {
  /** The options of `webhooks`. */
  readonly webhooks?: WebhookOptions | undefined;
  /** The options of `identity`. */
  readonly identity?: IdentityOptions | undefined;
  /** The options of `evidence`, which needs `identity` with a `publicUrl`. */
  readonly evidence?: EvidenceOptions | undefined;
  /** The options of `accessTokens`, which needs `identity` with a `publicUrl`. */
  readonly accessTokens?: AccessTokenOptions | undefined;
  /** The options of `people`. */
  readonly people?: PeopleOptions | undefined;
  /** The options of `authzen`. */
  readonly authzen?: AuthzenOptions | undefined;
}

/** The list of the capabilities without required options. */
export type PlainCapabilities = readonly [
  ReplayCapability,
  AnalyticsCapability,
  VerifierCapability,
  EventCapability,
  DomainCapability,
  PeopleCapability,
  ErasureCapability,
];

/** The list of the capabilities that these options turn on. */
export type EveryCapability<Options extends EveryCapabilityOptions> = readonly [
  ...PlainCapabilities,
  ...(Options extends { readonly webhooks: WebhookOptions } ? readonly [WebhookCapability] : readonly []),
  ...(Options extends { readonly identity: IdentityOptions } ? readonly [IdentityCapability] : readonly []),
  ...(Options extends { readonly evidence: EvidenceOptions } ? readonly [EvidenceCapability] : readonly []),
  ...(Options extends { readonly accessTokens: AccessTokenOptions }
    ? readonly [AccessTokenCapability]
    : readonly []),
  ...(Options extends { readonly authzen: AuthzenOptions } ? readonly [Capability] : readonly []),
];

/** A service with webhooks, signing keys, the evidence log and all capabilities without required options. */
export type WholeService = ServiceWith<
  EveryCapability<{
    readonly webhooks: WebhookOptions;
    readonly identity: IdentityOptions;
    readonly evidence: EvidenceOptions;
  }>
>;

const NAMES: OptionNames<EveryCapabilityOptions> = {
  webhooks: true,
  identity: true,
  evidence: true,
  accessTokens: true,
  people: true,
  authzen: true,
};

/**
 * Returns all capabilities, except those whose required option is missing.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 */
export function everyCapability<const Options extends EveryCapabilityOptions = object>(
  options?: Options,
): EveryCapability<Options>;
export function everyCapability(options: EveryCapabilityOptions = {}): readonly Capability[] {
  const checkedOptions = knownOptions('everyCapability', options, NAMES);
  return [
    replay(),
    analytics(),
    verifiers(),
    events(),
    domains(),
    people(checkedOptions.people),
    erasure(),
    ...(checkedOptions.webhooks !== undefined ? [webhooks(checkedOptions.webhooks)] : []),
    ...(checkedOptions.identity !== undefined ? [identity(checkedOptions.identity)] : []),
    ...(checkedOptions.evidence !== undefined ? [evidence(checkedOptions.evidence)] : []),
    ...(checkedOptions.accessTokens !== undefined ? [accessTokens(checkedOptions.accessTokens)] : []),
    ...(checkedOptions.authzen !== undefined ? [authzen(checkedOptions.authzen)] : []),
  ];
}
