/** All capabilities of the package, for `serve`, for tests and for applications that want everything. */
import { knownOptions, type OptionNames } from './base/known-options.ts';

export type { ReplayCapability } from './replay/index.ts';
export type { ServiceWith } from './service.ts';
export type { WebhookCapability, WebhookOptions } from './webhooks/index.ts';

import { type ReplayCapability, replay } from './replay/index.ts';
import type { ServiceWith } from './service.ts';
import { type WebhookCapability, type WebhookOptions, webhooks } from './webhooks/index.ts';

/** The options of `everyCapability`. */
export interface EveryCapabilityOptions {
  /** The options of `webhooks`; absent: no webhooks. */
  readonly webhooks?: WebhookOptions;
}

/** The list of all capabilities. */
export type EveryCapability = readonly [ReplayCapability, WebhookCapability];

/** A service with all capabilities. */
export type WholeService = ServiceWith<EveryCapability>;

const NAMES: OptionNames<EveryCapabilityOptions> = { webhooks: true };

/** Returns all capabilities. */
export function everyCapability(options: Required<EveryCapabilityOptions>): EveryCapability;
/** Returns all capabilities, except those without the option that they need. */
export function everyCapability(
  options?: EveryCapabilityOptions,
): readonly [ReplayCapability] | EveryCapability;
/** Returns the list by the options that are given. */
export function everyCapability(
  options: EveryCapabilityOptions = {},
): readonly [ReplayCapability] | EveryCapability {
  const known = knownOptions('everyCapability', options, NAMES);
  return known.webhooks === undefined ? [replay()] : [replay(), webhooks(known.webhooks)];
}
