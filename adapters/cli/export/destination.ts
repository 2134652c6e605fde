import { type FileHandle, open } from 'node:fs/promises';
import { usageError } from '../output/error.ts';
import { visible, writeOutput } from '../output/terminal.ts';
import type { ExportPiece } from './piece.ts';

/** The destination of an export. */
export interface Destination {
  /** Writes a piece; `false` when the reader has gone. */
  write(piece: ExportPiece): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a file, which is made or replaced at once; without a path, or with `-`, stdout. */
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
