import { Option } from 'commander';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/methods.ts';
import { allowsLocalhost } from '../backend/operator.ts';
import { evaluatePassports, importPassports } from '../import/import-passports.ts';
import { parentsFirst } from '../import/parents-first.ts';
import { countsOf, OUTCOMES, type Report, readPassports, reportText } from '../import/read-passports.ts';
import { nameOf } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { print, printProgress } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface ImportOptions extends BackendOptions {
  readonly dryRun?: boolean;
  readonly keepGoing?: boolean;
}

export const passportImportCommand: CliCommand = {
  name: 'import',
  summary: 'issue the passports of a file that do not exist yet',
  arguments: { file: 'file with one JSON passport per line, or - for stdin' },
  options: [
    new Option('--dry-run', 'print what the command would do, and write nothing'),
    new Option('--keep-going', 'if a line is refused, continue with the other lines and exit with 1'),
    ...accountOptions(),
    jsonOption(),
  ],
  notes: `The command checks every line before the first write. If a line is not a valid passport, the command stores
nothing, unless --keep-going is set. If you repeat the command, for example after an interruption, the command issues
only the missing passports. If a passport exists and differs, the command prints the names of the different fields and
keeps the passport. A line has the fields of \`passport create\`. With the fields status, suspended_until,
suspension_reason, revoked_at and revocation_reason, the new passport is suspended or revoked.

Exit codes:
  0  every passport exists, with the fields and the status in its line
  1  an existing passport differs from its line, or a line was refused
  2  wrong usage, or an invalid line without --keep-going: nothing was stored`,
  examples: [
    'agent-identity passport export --storage sqlite:./old.db | agent-identity passport import - --storage postgres://db/agents',
    'agent-identity passport import passports.jsonl --dry-run --url http://localhost:3000/api',
  ],
  async run({ file }: { readonly file: string }, options: ImportOptions, command) {
    const { dryRun = false, keepGoing = false, url } = options;
    const read = await readPassports(file, { keepGoing });
    if (read.passports.length + read.refused.length === 0) {
      throw usageError(`${nameOf(file)} has no passport in it.`);
    }
    const { sound, refused } = await evaluatePassports(read, {
      allowLocalhost: url !== undefined || allowsLocalhost(),
    });
    const { generations, lost } = parentsFirst(sound);
    const say = createReporter(options, sound.length + refused.length);
    const inCircle = 'The agent is among its own parents.';
    say([...refused, ...lost.map(({ line, agent_id }) => ({ ...refusal(line, inCircle), agent_id }))]);
    if (!keepGoing && say.reports.length > 0) {
      throw usageError(`${nameOf(file)} has lines that are refused. Nothing is stored: correct them.`);
    }
    await withBackend(command, (backend) =>
      importPassports(backend, generations, { dryRun, keepGoing, onReports: say }),
    ).finally(() => printProgress(''));
    say.end();
  },
};

function refusal(line: number, reason: string): Report {
  return { line, result: 'refused', reason };
}

interface Reporter {
  (reports: readonly Report[]): void;
  readonly reports: readonly Report[];
  /** Throws if the import is incomplete. */
  end(): void;
}

function createReporter({ json, dryRun = false }: ImportOptions, total: number): Reporter {
  const reports: Report[] = [];
  const say = (moreReports: readonly Report[]): void => {
    if (moreReports.length === 0) return;
    reports.push(...moreReports);
    print(moreReports.map((report) => (json ? JSON.stringify(report) : reportText(report))).join('\n'));
    if (!process.stdout.isTTY) printProgress(`${reports.length.toLocaleString('en')} of ${total}`);
  };
  const end = (): void => {
    const counts = countsOf(reports);
    const leftCount = total - reports.length;
    const figures = OUTCOMES.map((outcome) => `${counts[outcome]} ${outcome}`).join(', ');
    if (!json) print(`${figures}${dryRun ? ' (dry run: nothing is written)' : ''}`);
    if (counts.differs + counts.refused === 0) return;
    const advice = leftCount > 0 ? ` ${leftCount} were not tried: mend the line and run it again.` : '';
    throw new Error(`${counts.differs} differ and stay as they are, ${counts.refused} are refused.${advice}`);
  };
  return Object.assign(say, { reports, end });
}
