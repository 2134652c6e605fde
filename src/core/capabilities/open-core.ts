/** Builds the core of a service for its capabilities. */
import type { Context } from '../shared/context.ts';
import type { Core, CoreOffer, Offers, Shared } from './capability.ts';

/** The functions that are offered. `issuing` is added after the capabilities are open. */
export type OpenOffers = Partial<WritableOffers> & Pick<WritableOffers, Exclude<CoreOffer, 'issuing'>>;

type WritableOffers = { -readonly [Name in keyof Offers]: Offers[Name] };

export interface OpenCore {
  readonly core: Core;
  closeShared(): Promise<void>;
}

export function openCore(
  context: Context,
  parts: Pick<Core, 'rules' | 'journal' | 'ask' | 'sealingSecrets' | 'isSecretLost'> & {
    readonly offers: OpenOffers;
  },
): OpenCore {
  const { offers, ...settings } = parts;
  const sharedMap = new Map<unknown, Shared>();
  const core: Core = {
    ...context,
    ...settings,
    use<Part extends Shared>(open: (core: Core) => Part): Part {
      const part = sharedMap.get(open) ?? open(core);
      sharedMap.set(open, part);
      return part as Part;
    },
    demanded: (name) => (offers as Offers)[name],
    offered: (name) => (offers as Partial<Offers>)[name],
  };
  return {
    core,
    async closeShared() {
      for (const part of sharedMap.values()) await part.close();
    },
  };
}
