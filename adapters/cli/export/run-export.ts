import type { Destination } from './destination.ts';
import type { ExportPiece } from './piece.ts';

/** The end of an export. */
export interface ExportEnd {
  readonly count: number;
  /** `stopped`: by the signal. `left`: its reader has gone. */
  readonly end: 'complete' | 'stopped' | 'left';
}

/** Called after each piece. */
export type OnExported = (count: number, at: string | undefined) => void;

/** Writes the pieces, whole ones only, until they end, the signal comes, or the reader has gone. */
export async function runExport(
  pieces: AsyncIterable<ExportPiece>,
  { signal, open, onExported }: ExportTarget,
): Promise<ExportEnd> {
  const iterator = pieces[Symbol.asyncIterator]();
  const stopped = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const next = () => Promise.race([iterator.next(), stopped]);
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
