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
  const unrevoked: SoundPassport[] = [];
  try {
    const present = await presentPassports(backend, generations.flat().length);
    await importAll(backend, generations, { ...options, parents, unrevoked, present });
  } finally {
    for (const { agent_id, standing } of unrevoked) {
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
    for (let from = 0; from < generation.length; ) {
      const some = generation.slice(from, from + atOnce);
      from += some.length;
      const begun = performance.now();
      const reports = await importSome(backend, some, progress);
      const tookMs = performance.now() - begun;
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
    .filter((_, at) => present[at] === undefined)
    .map((passport) => ({ ...passport, hasChildren: parents.has(passport.agent_id) }));
  const issued = dryRun || absent.length === 0 ? [] : await backend.importPassports(absent);
  const answers = new Map(absent.map((passport, at) => [passport.agent_id, issued[at]]));
  const reports = passports.map(async (passport, at): Promise<Report> => {
    const { line, agent_id, text } = passport;
    const about = { line, agent_id };
    const answer = answers.get(agent_id);
    // It may have been issued since the others were listed.
    const isThere = answer instanceof IdentityError && answer.code === 'already_exists';
    const found = present[at] ?? (isThere ? await onePassport(backend, agent_id) : undefined);
    if (found !== undefined) return { ...about, ...compare(text, found) };
    const isUnrevoked = passport.standing.status === 'revoked' && Object(answer).status === 'suspended';
    if (isUnrevoked) unrevoked.push(passport);
    if (!(answer instanceof IdentityError)) return { ...about, result: 'create' };
    return { ...about, result: 'refused', reason: reasonOf(answer) };
  });
  return Promise.all(reports);
}

function compare(text: string, found: Passport): Pick<Report, 'result' | 'fields'> {
  const fields = differences(text, lineOf(found));
  return fields.length === 0 ? { result: 'unchanged' } : { result: 'differs', fields };
}
