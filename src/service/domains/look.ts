/** Looks for the token of a domain, in DNS and at its web server. */

import type { DomainProver } from '../../ports/domain-prover.ts';
import type { DomainProofMethod } from '../../records/domain.ts';
import { placesOf } from './record.ts';

/** The result of one look. No other part of the answer is shown. */
export type Sight = 'found' | 'not found' | 'no answer';

/** The results of both looks. */
export type Seen = Readonly<Record<DomainProofMethod, Sight>>;

/** Looks in both places at once: one match suffices. */
export async function lookFor(prover: DomainProver, domain: string, token: string): Promise<Seen> {
  const { dns: record, https: page } = placesOf(domain, token);
  const [dns, https] = await Promise.all([
    sight(async () => (await prover.txt(record.name)).includes(record.value)),
    sight(async () => (await prover.text(page.url)).trim() === page.body),
  ]);
  return { dns, https };
}

async function sight(look: () => Promise<boolean>): Promise<Sight> {
  try {
    return (await look()) ? 'found' : 'not found';
  } catch {
    return 'no answer';
  }
}

/** Returns the place in which the token was found, or `undefined`. */
export function methodIn({ dns, https }: Seen): DomainProofMethod | undefined {
  if (dns === 'found') return 'dns';
  return https === 'found' ? 'https' : undefined;
}
