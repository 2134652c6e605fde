/** The agents of a request to confirm, with what its sender knows of each. */
import { parseInstant } from '../../base/values/instant.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { ConfirmInput } from '../../records/verifier.ts';
import type { KnownPassport } from '../storage/caches.ts';

/** The knowledge of a sender about an agent: `null` is nothing, `''` that it is absent. */
export type Knowledge = ConfirmInput['agents'][string];

const KNOWN = /^([1-9]\d{0,14}) (\S{1,40})$/;

/** Returns the errors of what a request says of its agents. */
export function knowledgeErrors({ agents }: Readonly<Record<string, unknown>>): readonly FieldError[] {
  return Object.entries(Object(agents)).flatMap(([id, known]) => {
    if (known === null || known === '' || (typeof known === 'string' && isVersion(known))) return [];
    const message = 'Say `<version> <updated_at>`, "" for an agent that is absent, or null.';
    return [{ path: `/agents${pointer(id)}`, code: 'invalid', message }];
  });
}

function isVersion(known: string): boolean {
  const [, , updated = ''] = KNOWN.exec(known) ?? [];
  return parseInstant(updated) !== undefined;
}

/** Returns the version that is known; 0 for an agent that is absent. */
export function knownVersion(known: string): number {
  return Number(KNOWN.exec(known)?.[1] ?? 0);
}

/** Says whether the passport is the one that is known. A restored back-up writes a version again, at another instant. */
export function isAsKnown(known: Knowledge | undefined, passport: KnownPassport): boolean {
  return known === `${passport.version} ${passport.updated_at}`;
}
