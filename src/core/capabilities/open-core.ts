/** Builds the core of a service for its capabilities. */
import type { Context } from '../shared/context.ts';
import type { Core, CoreOffer, Offers, Shared } from './capability.ts';

export type OpenOffers = Partial<WritableOffers> & Pick<WritableOffers, CoreOffer>;

type WritableOffers = { -readonly [Name in keyof Offers]: Offers[Name] };

export interface OpenCore {
  readonly core: Core;
  closeShared(): Promise<void>;
}

export function openCore(
  context: Context,
  parts: Pick<Core, 'rules' | 'journal' | 'ask'> & {
    readonly secrets: Core['sealingSecrets'];
    readonly offers: OpenOffers;
  },
): OpenCore {
  const { rules, journal, ask, secrets, offers } = parts;
  const sharedMap = new Map<unknown, Shared>();
  const core: Core = {
    ...context,
    rules,
    journal,
    ask,
    sealingSecrets: secrets,
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
