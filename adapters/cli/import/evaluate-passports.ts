/** Evaluates passports before anything is written, and converts them to the spelling of the service. */
import {
  createIdentityService,
  IdentityError,
  type Passport,
  type PassportInput,
} from '../../../src/index.ts';
import type { NewPassport } from '../../../src/types.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import type { Descendant } from './parents-first.ts';
import { lineOf, type PassportToImport } from './passport-line.ts';
import type { Report } from './read-passports.ts';
import { type ReadPassport, type ReadPassports, reasonOf } from './read-passports.ts';

export interface SoundPassport extends ReadPassport, Descendant {
  /** The line for this passport in an export. */
  readonly text: string;
}

export interface EvaluatedPassports {
  readonly sound: readonly SoundPassport[];
  readonly refused: readonly Report[];
}

const AT_ONCE = 256;

export async function evaluatePassports(
  { passports, refused }: ReadPassports,
  options: EvaluateOptions,
): Promise<EvaluatedPassports> {
  const sound: SoundPassport[] = [];
  const unsound: Report[] = [];
  const lines = new Map<string, number>();
  const answers = await issueInMemory(passports, options);
  for (const [index, passport] of passports.entries()) {
    const { line } = passport;
    const answer = answers[index];
    if (answer instanceof IdentityError || answer === undefined) {
      unsound.push({ line, result: 'refused', reason: whyRefused(answer, passport, lines) });
    } else {
      const { agent_id, parent_agent_id } = answer;
      lines.set(agent_id, line);
      sound.push({ ...passport, agent_id, parent_agent_id, text: lineOf(answer) });
    }
  }
  return { sound, refused: [...refused, ...unsound].sort((a, b) => a.line - b.line) };
}

export interface EvaluateOptions {
  readonly allowLocalhost: boolean;
}

/**
 * Issues each passport once in a service in memory. Returns the passports in the spelling of the service, or the errors
 * that refuse them. It does not check whether a parent exists.
 */
export async function issueInMemory(
  passports: readonly PassportToImport[],
  { allowLocalhost }: EvaluateOptions,
): Promise<readonly (Passport | IdentityError)[]> {
  // A passport that requires proofs needs a service with an audience: any name will do here.
  const proofAudiences = ['import'];
  const service = createIdentityService({ storage: memoryStorage(), allowLocalhost, proofAudiences });
  try {
    const answers: (Passport | IdentityError)[] = [];
    for (let start = 0; start < passports.length; start += AT_ONCE) {
      const imports = passports.slice(start, start + AT_ONCE);
      const issuedAnswers = await service.passports.createAll(imports.map(withoutParent));
      answers.push(...issuedAnswers.map((answer, index) => withParent(answer, imports[index])));
    }
    return answers;
  } finally {
    await service.close();
  }
}

/** Removes the parent, which may be missing from the file. Only the service that has the parent can check it. */
function withoutParent({ input, standing }: PassportToImport): NewPassport {
  if (parentOf(input) === undefined) return { input, standing };
  const { parent_agent_id: _, ...alone } = input;
  return { input: alone, standing };
}

function parentOf({ parent_agent_id }: PassportInput): string | undefined {
  return typeof parent_agent_id === 'string' ? parent_agent_id : undefined;
}

function withParent<Answer>(answer: Answer, passport: PassportToImport | undefined): Answer {
  const parent_agent_id = passport && parentOf(passport.input);
  if (answer instanceof IdentityError || parent_agent_id === undefined) return answer;
  return { ...answer, parent_agent_id };
}

function whyRefused(error: unknown, { input }: PassportToImport, lines: ReadonlyMap<string, number>): string {
  if (!(error instanceof IdentityError && error.code === 'already_exists')) return reasonOf(error);
  const { domain, agent_name } = input;
  const first = lines.get(`did:web:${domain}:agents:${agent_name}`);
  return `The agent is already in line ${first}.`;
}
