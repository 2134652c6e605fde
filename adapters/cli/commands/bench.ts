import { randomBytes } from 'node:crypto';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { jsonOption } from '../backend/backend.ts';
import { reportHtml } from '../bench/html.ts';
import { type Measured, measureSubject } from '../bench/measure.ts';
import { doubts, watchIdle } from '../bench/noise.ts';
import { openRemoteSubject } from '../bench/remote-subject.ts';
import { reportOf, reportText } from '../bench/report.ts';
import { openLocalSubject, type Subject } from '../bench/subject.ts';
import { readStorageUrl } from '../input/storage-url.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { EXIT, usageError } from '../output/error.ts';
import { print, printJson, printProgress, visible } from '../output/terminal.ts';
import { firstSignal } from '../serve/signals.ts';
import type { CliCommand } from './command.ts';

interface BenchOptions {
  readonly storage: string;
  readonly url?: string;
  readonly key?: string;
  readonly agent?: readonly string[];
  readonly email: string;
  readonly passwordFile?: string;
  readonly passports: number;
  readonly connections: number;
  readonly seconds: number;
  readonly rate?: number;
  readonly yes?: boolean;
  readonly html?: string;
  readonly json?: boolean;
}

type ByTarget = 'connections' | 'passports';
type GivenOptions = Omit<BenchOptions, ByTarget> & Partial<Pick<BenchOptions, ByTarget>>;

/**
 * The default numbers of connections and passports. In one process, more connections help only while they wait for the
 * storage. A remote service never removes the id of a passport, so a run creates only a few there.
 */
const DEFAULTS = { local: { connections: 1, passports: 100 }, remote: { connections: 64, passports: 4 } };

const OPTIONS: readonly Option[] = [
  new Option(
    '--storage <url>',
    'URL of the storage for a service in this process, in the form sqlite:<file>, postgres://<host> or memory:',
  ).default('memory:'),
  new Option(
    '--url <base>',
    'URL of a running service to measure instead of a storage, such as http://localhost:3000/api',
  ),
  new Option(
    '--key <api-key>',
    'API key for --url (default: the command creates a key and revokes it at the end)',
  ).env('AGENT_IDENTITY_API_KEY'),
  new Option(
    '--agent <agent_id...>',
    'ids of agents that have a passport, for --url (default: the command creates passports and erases them at the end)',
  ),
  new Option(
    '--email <email>',
    'e-mail address of the member who logs in at --url; AGENT_IDENTITY_PASSWORD holds the password',
  )
    .env('AGENT_IDENTITY_EMAIL')
    .default('admin@localhost'),
  new Option('--password-file <path>', 'file with the password for --url, or - for stdin'),
  number(
    '--passports <number>',
    'number of passports to create (default: 4 with --url, 100 with --storage)',
    100_000,
  ),
  number(
    '--connections <number>',
    'number of simultaneous requests (default: 64 with --url, 1 with --storage)',
    1_000,
  ),
  number('--seconds <number>', 'seconds to measure', 3_600).default(10),
  number(
    '--rate <number>',
    'verdicts to request per second, at fixed times (default: as many as the service answers)',
    1_000_000,
  ),
  new Option('--yes', 'allow the command to create and erase records in a persistent storage'),
  new Option('--html <file>', 'file for the report as an HTML page with a histogram'),
  jsonOption(),
];

export function benchCommand(version: string): CliCommand {
  return {
    name: 'bench',
    summary: 'measure how fast a storage or service gives verdicts',
    options: OPTIONS,
    notes: `Half of the requests should get an ALLOW, and half a DENY. The report counts every other response as an error. Without
--rate, each connection sends its next request as soon as it has the response to the last request. With --rate, each
request has a due time. A connection sends it then, or if all connections are busy, as soon as a connection is free.
The latency begins at the due time, and includes this wait. In the report, "late" is the delay that this command
itself adds before it sends a request. The command drops requests that are overdue at the end.

The service records these verdicts like all others. With --storage, records_dropped counts the verdicts whose records
are lost because the storage was too slow. In the output of the command analytics, journal_dropped counts the same
records.

With --storage, the command creates passports for a domain bench-<random>.example in an account acc_bench_<random>, and
uses an API key of that account. At the end, or at Ctrl-C, the command erases that account and its verdicts in about
15 seconds.

With --url, the command creates passports in the account of --email. Its requests are dry runs, so analytics do not
count them. At the end, the command revokes and purges the passports (a service without erasure() keeps them revoked),
and revokes the API key. The ids of the passports stay revoked, so you cannot use them again. With --key and --agent,
the command creates nothing. The plan of an account limits its verifications per minute. Requests over the limit count
as rate_limited, and the report says how to avoid them.

With --html, the command writes a page that has no scripts and loads no other file. The page shows the histogram, the
percentiles and the machine. The page warns if the measurement is unreliable, for example if the machine was busy
before. The histogram of --json counts the latencies in buckets, from from_us to to_us microseconds. Each bucket is
12 % wider than the bucket before. The histogram leaves out empty buckets.

Exit codes:
  0  the measurement is complete and has no errors
  1  the measurement has errors, or the service did not answer
  2  wrong usage or configuration`,
    examples: [
      'agent-identity bench',
      'agent-identity bench --storage sqlite:./bench.db --yes --seconds 30 --json',
      'agent-identity bench --storage postgres://localhost/bench --yes --rate 2000',
      'agent-identity bench --url http://localhost:3000/api --yes --connections 16',
      'agent-identity bench --storage postgres://localhost/bench --yes --html report.html',
    ],
    async run(_args, givenOptions: GivenOptions, command) {
      const options: BenchOptions = { ...DEFAULTS[givenOptions.url ? 'remote' : 'local'], ...givenOptions };
      if (options.html !== undefined) await assertWritable(options.html);
      checkOptions(options, command.getOptionValueSource('storage') === 'cli');
      // From here on Ctrl-C ends the measurement, and what was made is removed.
      const stop = firstSignal();
      const quietBefore = await watchIdle();
      printProgress('Creating passports.');
      const subject = await openSubject(options);
      const measurement = await measureAndClose(subject, options, stop);
      const { connections, rate = null, json, html } = options;
      const passports = new Set(subject.questions.map(({ intent }) => intent.agent_id)).size;
      // In this process the service itself delays the questions, as it would those of any caller.
      const notes = doubts(quietBefore, subject.isInProcess ? { ...measurement, late: null } : measurement);
      const limit_per_minute = subject.limitPerMinute?.() ?? null;
      const settings = { passports, connections, rate, doubts: notes, limit_per_minute, version };
      const report = reportOf(measurement, { target: subject.label, ...settings });
      if (html !== undefined) await writeFile(html, reportHtml(report));
      if (json) printJson(report);
      else print(reportText(report));
      if (html !== undefined && !json) print(`\nWritten to ${visible(html)}`);
      if (hasFailed(measurement)) process.exitCode = EXIT.failure;
    },
  };
}

function number(flags: string, description: string, limit: number): Option {
  return new Option(flags, description).argParser(wholeNumber(1, limit));
}

function checkOptions({ url, key, agent, storage, yes }: BenchOptions, isStorageNamed: boolean): void {
  if (url !== undefined && isStorageNamed) throw usageError('Name --url or --storage, not both.');
  if (url === undefined && agent !== undefined) throw usageError('--agent is for --url.');
  const isKept = url === undefined ? readStorageUrl(storage).kind !== 'memory' : !(key && agent);
  if (isKept && yes !== true) {
    throw usageError(
      'Records would be made and erased there, and the ids of passports stay taken. Add --yes to do that.',
    );
  }
}

function hasFailed({ errors, verdicts }: Measured): boolean {
  return errors.size > 0 || verdicts === 0;
}

async function assertWritable(file: string): Promise<void> {
  await access(dirname(file), constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    throw usageError(`${file} cannot be written (${cause.code}).`, cause);
  });
}

function openSubject({ url, storage, agent, ...options }: BenchOptions): Promise<Subject> {
  const domain = `bench-${randomBytes(6).toString('hex')}.example`;
  if (url === undefined) return openLocalSubject(readStorageUrl(storage), { ...options, domain });
  return openRemoteSubject({ ...options, url, domain, ...(agent !== undefined && { agents: agent }) });
}

async function measureAndClose(
  subject: Subject,
  { connections, seconds, rate }: BenchOptions,
  stop: Promise<unknown>,
): Promise<Measured> {
  try {
    return await measureSubject(subject, {
      connections,
      seconds,
      ...(rate !== undefined && { rate }),
      stop,
      onSecond({ second, perSecond, errors }) {
        const countText = perSecond.toLocaleString('en');
        printProgress(`${second} s of ${seconds}: ${countText} verdicts a second, ${errors} errors`);
      },
    });
  } finally {
    printProgress('Removing the passports and the key.');
    await subject.close();
    printProgress('');
  }
}
