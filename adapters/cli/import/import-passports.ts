/** Imports passports that do not exist yet, and reports the outcome of each. */
import { IdentityError, type Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/methods.ts';
import type { SoundPassport } from './evaluate-passports.ts';
import { differences, lineOf } from './passport-line.ts';
import { type FindPassport, onePassport, presentPassports, type Readers } from './present-passports.ts';
import type { Report } from './read-passports.ts';
import { reasonOf } from './read-passports.ts';

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
