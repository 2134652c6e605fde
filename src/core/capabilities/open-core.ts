/** Builds the core of a service for its capabilities. */
import type { Context } from '../shared/context.ts';
import type { Core, CoreOffer, Offers } from './capability.ts';

export type OpenOffers = Partial<WritableOffers> & Pick<WritableOffers, CoreOffer>;

type WritableOffers = { -readonly [Name in keyof Offers]: Offers[Name] };

/** Builds the core that capabilities receive. A part that several capabilities share is opened once. */
export function openCore(
  context: Context,
  parts: Pick<Core, 'rules' | 'journal' | 'ask'> & {
    readonly secrets: Core['sealingSecrets'];
    readonly offers: OpenOffers;
  },
): Core {
  const { rules, journal, ask, secrets, offers } = parts;
  const shared = new Map<unknown, unknown>();
  const core: Core = {
    ...context,
    rules,
    journal,
    ask,
    sealingSecrets: secrets,
    use<Part>(open: (core: Core) => Part): Part {
      if (!shared.has(open)) shared.set(open, open(core));
      return shared.get(open) as Part;
    },
    demanded: (name) => (offers as Offers)[name],
    offered: (name) => (offers as Partial<Offers>)[name],
  };
  return core;
}
