/** Looks for the token of a domain, in DNS and at its web server. */

import type { DomainProver } from '../../ports/domain-prover.ts';
import type { DomainProofMethod } from '../../records/domain.ts';
import { placesOf } from './record.ts';

/** What was seen at one place. Nothing else of an answer is shown. */
export type Sight = 'found' | 'not found' | 'no answer';

/** What was seen. */
export type Seen = Readonly<Record<DomainProofMethod, Sight>>;

/** Looks at both places at once: either suffices. */
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

/** Where it was found; `undefined` for nowhere. */
export function methodIn({ dns, https }: Seen): DomainProofMethod | undefined {
  if (dns === 'found') return 'dns';
  return https === 'found' ? 'https' : undefined;
}
