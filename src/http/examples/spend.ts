import type { SpendRequestName } from '../../schema/spend.ts';

/** The examples of requests about spends. */
export const spendRequestExamples: Readonly<Record<SpendRequestName, object>> = {
  SettleRequest: { amount: '19.99' },
  CommitRequest: { amount: '19.99' },
  ExtendRequest: { hold_seconds: 600 },
};
