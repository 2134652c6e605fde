import { Option } from 'commander';
import { accountOptions, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/methods.ts';
import { FOLLOW_BACK_MS, FOLLOW_PAUSE_MS, followRecords } from '../export/follow.ts';
import { type ExportPiece, type OnExported, openDestination, runExport } from '../export/run-export.ts';
import { EXPORT_FORMATS, type ExportFilter, type ExportFormat, exportSource } from '../export/source.ts';
import { printError, printProgress } from '../output/terminal.ts';
import { firstSignal } from '../serve/signals.ts';
import { inputOf } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { VERDICT_FIELDS } from './verifications.ts';

interface ExportOptions {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly follow?: boolean;
}

export const journalCommands: CommandGroup = {
  name: 'journal',
  summary: 'manage exports of verdict records',
  commands: [
    {
      name: 'export',
      summary: 'write verdict records, newest first',
      options: [
        new Option(
          '--format <name>',
          'format of the records; `ocsf` is the event format OCSF 1.8.0, one JSON object per line',
        )
          .choices(EXPORT_FORMATS)
          .default('jsonl'),
        ...Object.values(VERDICT_FIELDS),
        new Option(
          '--output <file>',
          'file to write the output to, which replaces an existing file (default: stdout)',
        ),
        new Option(
          '--follow',
          'continue with new records, oldest first, until SIGINT or SIGTERM (exit code 0)',
        ).conflicts('to'),
        ...accountOptions(),
      ],
      notes: `With --follow, the command asks for new records every second, and prints each record once. If the service stores a
record more than ${FOLLOW_BACK_MS / 1_000} seconds late, such as after a storage outage, the command misses the record. After an outage,
export the records of that period again.`,
      examples: [
        'agent-identity journal export --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --output 2026-11-20.jsonl',
        'agent-identity journal export --format csv --agent did:web:example.com:agents:shopper --url http://localhost:3000/api',
        'agent-identity journal export --follow --verdict DENY | jq .reasons',
      ],
      async run(_args, options: ExportOptions, command) {
        const { count, end } = await withBackend(command, (backend) => exportTo(backend, options));
        if (end !== 'stopped' || options.follow) return;
        throw new Error(`Stopped after the newest ${count} records. The older ones are not written.`);
      },
    },
  ],
};

function exportTo(backend: Backend, options: ExportOptions): ReturnType<typeof runExport> {
  const { format, output, follow } = options;
  const stop = new AbortController();
  void firstSignal().then(() => stop.abort());
  const progress = createProgress(output !== undefined || !process.stdout.isTTY);
  const filter = inputOf({ ...VERDICT_FIELDS }, { ...options });
  const source = exportSource(backend, format);
  const pieces: AsyncIterable<ExportPiece> = follow
    ? followReported(source, filter, stop.signal)
    : source(filter);
  const open = () => openDestination(output);
  return runExport(pieces, { signal: stop.signal, open, onExported: progress }).finally(() =>
    printProgress(''),
  );
}

function followReported(
  source: ReturnType<typeof exportSource>,
  filter: ExportFilter,
  signal: AbortSignal,
): AsyncIterable<ExportPiece> {
  return followRecords(source, filter, {
    pauseMs: FOLLOW_PAUSE_MS,
    signal,
    onTrouble(error) {
      printProgress('');
      printError(
        error === undefined
          ? 'agent-identity: The records can be read again.'
          : `agent-identity: ${error.message} It is retried until it answers.`,
      );
    },
  });
}

const PROGRESS_MS = 500;

/**
 * Creates the function that prints the progress of an export. It prints nothing if the records themselves are printed
 * on the terminal.
 */
function createProgress(isShown: boolean): OnExported {
  let reportedAt = performance.now();
  return (count, instant) => {
    if (!isShown || instant === undefined || performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    printProgress(`${count.toLocaleString('en')} records, now at ${instant}`);
  };
}
