import type { Context } from './context.ts';

export interface DurabilityWarning {
  readonly event: string;
  /** The end of the sentence that begins with `The storage is <durability>: `. */
  readonly loss: string;
}

/**
 * Creates a function that warns if the storage may lose acknowledged writes. Only its first call checks the storage.
 */
export function createDurabilityNote(
  { store, log }: Pick<Context, 'store' | 'log'>,
  { event, loss }: DurabilityWarning,
): () => void {
  let isNoted = false;

  async function look(): Promise<void> {
    const { durability, detail } = await store.check();
    if (durability === 'durable') return;
    const message = `The storage is ${durability}: ${loss}`;
    log({ level: 'warn', event, message, durability, ...(detail && { detail }) });
  }

  return () => {
    if (isNoted) return;
    isNoted = true;
    look().catch(() => {
      // The next call asks again.
      isNoted = false;
    });
  };
}
