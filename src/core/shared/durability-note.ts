import type { Context } from './context.ts';

/** The warning about a storage that may lose acknowledged writes: its event, and what may be lost with the storage. */
export interface DurabilityWarning {
  readonly event: string;
  /** The end of the sentence that begins with `The storage is <durability>: `. */
  readonly loss: string;
}

/** Makes a function that warns once, when it is first called, if the storage may lose acknowledged writes. */
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
