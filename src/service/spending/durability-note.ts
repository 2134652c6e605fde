import type { Context } from '../shared/context.ts';

/** Makes a function that warns once, at the first spend, if the storage may lose acknowledged writes. */
export function createDurabilityNote({ store, log }: Context): () => void {
  let isNoted = false;

  async function look(): Promise<void> {
    const { durability, detail } = await store.check();
    if (durability === 'durable') return;
    const message = `The storage is ${durability}: what was spent of budgets, and approvals, may be lost with it.`;
    log({ level: 'warn', event: 'budgets_not_durable', message, durability, ...(detail && { detail }) });
  }

  return () => {
    if (isNoted) return;
    isNoted = true;
    look().catch(() => {
      // The next spend asks again.
      isNoted = false;
    });
  };
}
