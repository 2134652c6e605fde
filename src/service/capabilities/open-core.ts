/** Makes the core of a service as its capabilities see it. */
import type { Context } from '../shared/context.ts';
import type { Core, Offers } from './capability.ts';

/** Makes the core as capabilities see it. A part that they share is opened once. */
export function openCore(
  context: Context,
  parts: Pick<Core, 'rules' | 'journal'> & {
    readonly secrets: Core['sealingSecrets'];
    readonly offers: Readonly<Partial<Offers>>;
  },
): Core {
  const { rules, journal, secrets, offers } = parts;
  const shared = new Map<unknown, unknown>();
  const core: Core = {
    ...context,
    rules,
    journal,
    sealingSecrets: secrets,
    use<Part>(open: (core: Core) => Part): Part {
      if (!shared.has(open)) shared.set(open, open(core));
      return shared.get(open) as Part;
    },
    offered: (name) => offers[name],
  };
  return core;
}
