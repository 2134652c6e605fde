/** All capabilities of the package, for `serve`, for tests and for applications that want everything. */
import { knownOptions, type OptionNames } from './base/known-options.ts';

export type { AccessTokenCapability, AccessTokenOptions } from './access-tokens/index.ts';
export type { ReplayCapability } from './replay/index.ts';
export type { Capability, ServiceWith } from './service.ts';
export type { WebhookCapability, WebhookOptions } from './webhooks/index.ts';

import { type AccessTokenCapability, type AccessTokenOptions, accessTokens } from './access-tokens/index.ts';
import { type ReplayCapability, replay } from './replay/index.ts';
import type { Capability, ServiceWith } from './service.ts';
import { type WebhookCapability, type WebhookOptions, webhooks } from './webhooks/index.ts';

/** The options of `everyCapability`. */
export interface EveryCapabilityOptions {
  /** The options of `webhooks`; absent: no webhooks. */
  readonly webhooks?: WebhookOptions | undefined;
  /** The options of `accessTokens`; absent: no access tokens. */
  readonly accessTokens?: AccessTokenOptions | undefined;
}

/** The list of the capabilities that need no public URL. */
export type EveryCapability = readonly [ReplayCapability, WebhookCapability];

/** A service with these capabilities. */
export type WholeService = ServiceWith<EveryCapability>;

const NAMES: OptionNames<EveryCapabilityOptions> = { webhooks: true, accessTokens: true };

/** Returns all capabilities. */
export function everyCapability(
  options: Required<EveryCapabilityOptions> & {
    readonly webhooks: WebhookOptions;
    readonly accessTokens: AccessTokenOptions;
  },
): readonly [...EveryCapability, AccessTokenCapability];
/** Returns all capabilities but access tokens. */
export function everyCapability(
  options: EveryCapabilityOptions & { readonly webhooks: WebhookOptions },
): EveryCapability;
/** Returns all capabilities, except those without the option that they need. */
export function everyCapability(options?: EveryCapabilityOptions): readonly Capability[];
/** Returns the list by the options that are given. */
export function everyCapability(options: EveryCapabilityOptions = {}): readonly Capability[] {
  const known = knownOptions('everyCapability', options, NAMES);
  return [
    replay(),
    ...(known.webhooks ? [webhooks(known.webhooks)] : []),
    ...(known.accessTokens ? [accessTokens(known.accessTokens)] : []),
  ];
}
