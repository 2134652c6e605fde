/** Imports passports that do not exist yet, and reports the outcome of each. */

import {
  createIdentityService,
  IdentityError,
  type Passport,
  type PassportInput,
} from '../../../src/index.ts';
import type { NewPassport } from '../../../src/types.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import type { Backend } from '../backend/methods.ts';
import type { Descendant } from './parents-first.ts';
import { differences, lineOf, type PassportToImport } from './passport-line.ts';
import { type FindPassport, onePassport, presentPassports, type Readers } from './present-passports.ts';
import { type ReadPassport, type ReadPassports, type Report, reasonOf } from './read-passports.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly keepGoing: boolean;
  readonly onReports: (reports: readonly Report[]) => void;
}

type Target = Readers & Pick<Backend, 'importPassports' | 'importsAtOnce' | 'revoke'>;

/**
 * The number of passports in the first call. Later calls have more passports if calls are fast, and fewer if they are
 * slow.
 */
const AT_FIRST = 32;
const FAST_MS = 250;
const SLOW_MS = 1_000;

/** Imports generation by generation, so that parents exist before their children. */
export async function importPassports(
  backend: Target,
  generations: readonly (readonly SoundPassport[])[],
  options: ImportOptions,
): Promise<void> {
  const parents = new Set(generations.flat().map(({ parent_agent_id }) => parent_agent_id));
  const unrevokedPassports: SoundPassport[] = [];
  try {
    const present = await presentPassports(backend, generations.flat().length);
    await importAll(backend, generations, { ...options, parents, unrevoked: unrevokedPassports, present });
  } finally {
    for (const { agent_id, standing } of unrevokedPassports) {
      const reason = standing.revocation_reason;
      await backend.revoke({ agent_id, ...(reason && { reason }) });
    }
  }
}

interface Progress extends ImportOptions {
  readonly parents: ReadonlySet<string | undefined>;
  /** Collects the passports to revoke after their children exist. */
  readonly unrevoked: SoundPassport[];
  readonly present: FindPassport;
}

async function importAll(
  backend: Target,
  generations: readonly (readonly SoundPassport[])[],
  progress: Progress,
): Promise<void> {
  let atOnce = Math.min(AT_FIRST, backend.importsAtOnce);
  for (const generation of generations) {
    for (let start = 0; start < generation.length; ) {
      const passports = generation.slice(start, start + atOnce);
      start += passports.length;
      const begunMs = performance.now();
      const reports = await importSome(backend, passports, progress);
      const tookMs = performance.now() - begunMs;
      if (tookMs < FAST_MS) atOnce = Math.min(backend.importsAtOnce, atOnce * 2);
      if (tookMs > SLOW_MS) atOnce = Math.max(1, Math.floor(atOnce / 2));
      progress.onReports(reports);
      if (!progress.keepGoing && reports.some(({ result }) => result === 'refused')) return;
    }
  }
}

async function importSome(
  backend: Target,
  passports: readonly SoundPassport[],
  { dryRun, parents, unrevoked, present: find }: Progress,
): Promise<readonly Report[]> {
  const present = await Promise.all(passports.map(({ agent_id }) => find(agent_id)));
  const absent = passports
    .filter((_, index) => present[index] === undefined)
    .map((passport) => ({ ...passport, hasChildren: parents.has(passport.agent_id) }));
  const issuedAnswers = dryRun || absent.length === 0 ? [] : await backend.importPassports(absent);
  const answers = new Map(absent.map((passport, index) => [passport.agent_id, issuedAnswers[index]]));
  const reports = passports.map(async (passport, index): Promise<Report> => {
    const { line, agent_id, text } = passport;
    const subject = { line, agent_id };
    const answer = answers.get(agent_id);
    // It may have been issued since the others were listed.
    const isThere = answer instanceof IdentityError && answer.code === 'already_exists';
    const foundPassport = present[index] ?? (isThere ? await onePassport(backend, agent_id) : undefined);
    if (foundPassport !== undefined) return { ...subject, ...compare(text, foundPassport) };
    const isUnrevoked = passport.standing.status === 'revoked' && Object(answer).status === 'suspended';
    if (isUnrevoked) unrevoked.push(passport);
    if (!(answer instanceof IdentityError)) return { ...subject, result: 'create' };
    return { ...subject, result: 'refused', reason: reasonOf(answer) };
  });
  return Promise.all(reports);
}

function compare(text: string, passport: Passport): Pick<Report, 'result' | 'fields'> {
  const fields = differences(text, lineOf(passport));
  return fields.length === 0 ? { result: 'unchanged' } : { result: 'differs', fields };
}

// Evaluates passports before anything is written, and converts them to the spelling of the service.

export interface SoundPassport extends ReadPassport, Descendant {
  /** The line for this passport in an export. */
  readonly text: string;
}

interface EvaluatedPassports {
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
