import type { SpendRequestName } from '../../schema/spend.ts';

export const spendRequestExamples: Readonly<Record<SpendRequestName, object>> = {
  SettleRequest: { amount: '19.99' },
  CommitRequest: { amount: '19.99' },
  ExtendRequest: { hold_seconds: 600 },
};
