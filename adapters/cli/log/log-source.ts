/** Opens the logs that can be audited: in a folder, or at the public paths of a service. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type LogSource, tilePath } from '../../../src/transparency-log/index.ts';
import { usageError } from '../output/error.ts';
import { KEPT_SINCE } from './export-log.ts';

export interface FolderSource extends LogSource {
  readonly keptSinceMs?: number;
}

export async function folderSource(folder: string): Promise<FolderSource> {
  const checkpoint = await readFile(join(folder, 'checkpoint'), 'utf8').catch(() => {
    throw usageError(`${folder} has no file checkpoint: name a folder of agent-identity log export.`);
  });
  const hasEntries = await stat(join(folder, 'entries.jsonl')).then(
    () => true,
    () => false,
  );
  const keptSince = await readFile(join(folder, KEPT_SINCE), 'utf8').catch(() => '');
  const keptSinceMs = Date.parse(keptSince.trim());
  return {
    checkpoint,
    ...(Number.isFinite(keptSinceMs) && { keptSinceMs }),
    tile: (tile) => readOptional(join(folder, tilePath(tile))),
    ...(hasEntries && { entries: () => linesOf(join(folder, 'entries.jsonl')) }),
    block: (digest) =>
      /^[\da-f]{64}$/.test(digest) ? readOptional(join(folder, 'blocks', digest)) : NOTHING,
  };
}

/** Opens the public paths of a log. The address of the service ends in `/api`. */
export async function publicSource(baseUrl: string, origin: string): Promise<LogSource> {
  const baseAddress = `${baseUrl.replace(/\/+$/, '')}/logs/${origin.slice(origin.lastIndexOf('/') + 1)}`;
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const answer = await fetch(`${baseAddress}/${path}`);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 404) return undefined;
    throw new Error(`${baseAddress}/${path} answered ${answer.status}.`);
  };
  const note = await read('checkpoint');
  if (note === undefined) throw usageError(`There is no log at ${baseAddress}. The address ends in /api.`);
  return { checkpoint: new TextDecoder().decode(note), tile: (tile) => read(tilePath(tile)) };
}

const NOTHING = Promise.resolve(undefined);

async function readOptional(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* linesOf(path: string): AsyncGenerator<string | null> {
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) yield line === 'null' ? null : line;
}
