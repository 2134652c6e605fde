import { type FileHandle, open } from 'node:fs/promises';
import { usageError } from '../output/error.ts';
import { visible, writeOutput } from '../output/terminal.ts';

export interface ExportEnd {
  readonly count: number;
  /** The end of the export. `stopped`: the signal was aborted. `left`: the reader has closed the stream. */
  readonly end: 'complete' | 'stopped' | 'left';
}

export type OnExported = (count: number, instant: string | undefined) => void;

export async function runExport(
  pieces: AsyncIterable<ExportPiece>,
  { signal, open, onExported }: ExportTarget,
): Promise<ExportEnd> {
  const iterator = pieces[Symbol.asyncIterator]();
  const stoppedPromise = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const next = () => Promise.race([iterator.next(), stoppedPromise]);
  let count = 0;
  // An existing file stays as it is where the records cannot be read at all.
  let result = await next();
  if (result === 'stopped') return { count, end: 'stopped' };
  const destination = await open();
  try {
    while (result !== 'stopped' && !result.done) {
      if (!(await destination.write(result.value))) return { count, end: 'left' };
      count += result.value.records.length;
      onExported(count, result.value.records.at(-1)?.at);
      result = signal.aborted ? 'stopped' : await next();
    }
    return { count, end: result === 'stopped' ? 'stopped' : 'complete' };
  } finally {
    await destination.close();
    // The read that has begun is not waited for: its answer may never come.
    void iterator.return?.().catch(() => undefined);
  }
}

interface ExportTarget {
  readonly signal: AbortSignal;
  readonly open: () => Promise<Destination>;
  readonly onExported: OnExported;
}

interface Destination {
  /** Writes a piece; resolves to `false` if the reader has closed the stream. */
  write(piece: ExportPiece): Promise<boolean>;
  close(): Promise<void>;
}

export async function openDestination(path: string | undefined): Promise<Destination> {
  return path === undefined || path === '-' ? outputDestination() : fileDestination(await openFile(path));
}

function outputDestination(): Destination {
  // In a file or a pipe the bytes are as they are; a terminal would obey some of them.
  const spell = process.stdout.isTTY
    ? (line: string) => `${visible(line.replace(/\r?\n$/, ''))}\n`
    : (line: string) => line;
  return {
    write: (piece) => writeOutput(linesOf(piece).map(spell).join('')),
    close: async () => undefined,
  };
}

function fileDestination(file: FileHandle): Destination {
  return {
    async write(piece) {
      await file.appendFile(linesOf(piece).join(''));
      return true;
    },
    close: () => file.close(),
  };
}

function linesOf({ head, records }: ExportPiece): readonly string[] {
  const lines = records.map(({ line }) => line);
  return head === undefined ? lines : [head, ...lines];
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w');
  } catch (cause) {
    throw usageError(`${path} cannot be written (${(cause as NodeJS.ErrnoException).code}).`, cause);
  }
}

export interface ExportRecord {
  readonly id: string;
  /** The `evaluated_at` of the record. */
  readonly at: string;
  readonly line: string;
}

/** A part of an export with some of its records. The newest records of an export come first. */
export interface ExportPiece {
  /** The text before the first record. */
  readonly head?: string;
  readonly records: readonly ExportRecord[];
}
