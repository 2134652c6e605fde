/** Judges passports before anything is written, and spells them as the service will. */
import {
  createIdentityService,
  IdentityError,
  type IdentityService,
  type Passport,
} from '../../../src/index.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import { storedIdentity } from '../backend/stored-identity.ts';
import { PASSPORT_FIELDS } from '../commands/passport-fields.ts';
import type { Descendant } from './parents-first.ts';
import { lineOf, type PassportToImport } from './passport-line.ts';
import { type ReadPassport, type ReadPassports, reasonOf } from './read-passports.ts';
import type { Report } from './report.ts';

/** A passport that a service would issue. */
export interface SoundPassport extends ReadPassport, Descendant {
  /** As an export would spell it. */
  readonly text: string;
}

/** What an import may write, and what it may not. */
export interface JudgedPassports {
  readonly sound: readonly SoundPassport[];
  readonly refused: readonly Report[];
}

/** The field that names the agent from which another has its authority. */
const PARENT = 'parent_agent_id';

/** Judges by a service in memory: it issues every passport once. */
export async function judgePassports(
  { passports, refused }: ReadPassports,
  { allowLocalhost }: { readonly allowLocalhost: boolean },
): Promise<JudgedPassports> {
  const { signer } = storedIdentity();
  // Which names a service has for proofs is its own matter: here there only has to be one.
  const identity = { ...(signer && { signer }), proofAudiences: ['import'] };
  const service = createIdentityService({ storage: memoryStorage(), allowLocalhost, identity });
  try {
    const sound: SoundPassport[] = [];
    const unsound: Report[] = [];
    const lines = new Map<string, number>();
    for (const passport of passports) {
      const { line } = passport;
      try {
        const issued = await issue(service, passport);
        lines.set(issued.agent_id, line);
        sound.push({ ...passport, ...issued });
      } catch (error) {
        unsound.push({ line, result: 'refused', reason: whyRefused(error, passport, lines) });
      }
    }
    return { sound, refused: [...refused, ...unsound].sort((a, b) => a.line - b.line) };
  } finally {
    await service.close();
  }
}

/** The parent of an agent need not be among the passports: only the service that has it can judge it. */
async function issue(
  service: IdentityService,
  { input, standing }: PassportToImport,
): Promise<Descendant & { readonly text: string }> {
  const { [PARENT]: parent, ...alone }: Readonly<Record<string, unknown>> = { ...input };
  const isParent = typeof parent === 'string' && PASSPORT_FIELDS.includes(PARENT);
  const judged = isParent ? (alone as unknown as typeof input) : input;
  const issued: Passport = await service.passports.create(judged, {}, { standing });
  const whole = isParent ? { ...issued, [PARENT]: parent } : issued;
  return {
    agent_id: issued.agent_id,
    parent_agent_id: isParent ? parent : undefined,
    text: lineOf(whole),
  };
}

function whyRefused(error: unknown, { input }: PassportToImport, lines: ReadonlyMap<string, number>): string {
  if (!(error instanceof IdentityError && error.code === 'already_exists')) return reasonOf(error);
  const { domain, agent_name } = input;
  const first = lines.get(`did:web:${domain}:agents:${agent_name}`);
  return `This agent is that of line ${first}.`;
}
