import type { Target } from './results.mjs';

export declare function target(
  name: string,
  value: number,
  bound: {
    readonly atMost?: number;
    readonly atLeast?: number;
    readonly unit?: string;
    readonly untold?: string;
  },
): Target;
