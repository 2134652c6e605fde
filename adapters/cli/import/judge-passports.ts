/** Judges passports before anything is written, and spells them as the service will. */
import {
  createIdentityService,
  IdentityError,
  type Passport,
  type PassportInput,
} from '../../../src/index.ts';
import type { NewPassport } from '../../../src/types.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import { storedIdentity } from '../backend/operator.ts';
import type { Descendant } from './parents-first.ts';
import { lineOf, type PassportToImport } from './passport-line.ts';
import type { Report } from './read-passports.ts';
import { type ReadPassport, type ReadPassports, reasonOf } from './read-passports.ts';

/** A passport that a service would issue. */
export interface SoundPassport extends ReadPassport, Descendant {
  /** The line that an export would write. */
  readonly text: string;
}

/** The passports that an import may write, and those that are refused. */
export interface JudgedPassports {
  readonly sound: readonly SoundPassport[];
  readonly refused: readonly Report[];
}

/** The number of passports that are evaluated at once. */
const AT_ONCE = 256;

/** Judges by a service in memory: it issues every passport once. */
export async function judgePassports(
  { passports, refused }: ReadPassports,
  { allowLocalhost }: { readonly allowLocalhost: boolean },
): Promise<JudgedPassports> {
  const { signer } = storedIdentity();
  // A passport that requires proofs needs a service with an audience: any name will do here.
  const identity = { ...(signer && { signer }), proofAudiences: ['import'] };
  const service = createIdentityService({ storage: memoryStorage(), allowLocalhost, identity });
  try {
    const sound: SoundPassport[] = [];
    const unsound: Report[] = [];
    const lines = new Map<string, number>();
    for (let from = 0; from < passports.length; from += AT_ONCE) {
      const some = passports.slice(from, from + AT_ONCE);
      const answers = await service.passports.createAll(some.map(withoutParent));
      for (const [at, passport] of some.entries()) {
        const { line } = passport;
        const answer = answers[at];
        if (answer instanceof IdentityError || answer === undefined) {
          unsound.push({ line, result: 'refused', reason: whyRefused(answer, passport, lines) });
        } else {
          lines.set(answer.agent_id, line);
          sound.push({ ...passport, ...spelled(answer, passport) });
        }
      }
    }
    return { sound, refused: [...refused, ...unsound].sort((a, b) => a.line - b.line) };
  } finally {
    await service.close();
  }
}

/** Leaves the parent out: it may be missing from the file, and then only the service that has it can judge it. */
function withoutParent({ input, standing }: PassportToImport): NewPassport {
  if (parentOf(input) === undefined) return { input, standing };
  const { parent_agent_id: _, ...alone } = input;
  return { input: alone, standing };
}

/** Returns the parent if it is a text; another value is evaluated with the other fields. */
function parentOf({ parent_agent_id }: PassportInput): string | undefined {
  return typeof parent_agent_id === 'string' ? parent_agent_id : undefined;
}

/** Returns the line that an export would write. */
function spelled(issued: Passport, { input }: PassportToImport): Descendant & { readonly text: string } {
  const parent = parentOf(input);
  const whole = parent === undefined ? issued : { ...issued, parent_agent_id: parent };
  return { agent_id: issued.agent_id, parent_agent_id: parent, text: lineOf(whole) };
}

function whyRefused(error: unknown, { input }: PassportToImport, lines: ReadonlyMap<string, number>): string {
  if (!(error instanceof IdentityError && error.code === 'already_exists')) return reasonOf(error);
  const { domain, agent_name } = input;
  const first = lines.get(`did:web:${domain}:agents:${agent_name}`);
  return `This agent is that of line ${first}.`;
}
