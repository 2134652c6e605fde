import type { ToolGuard } from 'agent-identity-service/guard';
import type { PayArguments } from '../matrix.mjs';

export interface Way {
  readonly name: string;
  readonly version: 1 | 2;
  readonly side?: 'server' | 'client';
  readonly how?: string;
  readonly isHttp?: boolean;
  readonly isRequest?: boolean;
}
export interface Outcome {
  readonly ran: readonly PayArguments[];
  readonly protocol?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}
export function callTool(
  call: Omit<Way, 'name'> & {
    readonly guard: ToolGuard;
    readonly args: PayArguments;
    readonly signal?: AbortSignal;
    readonly isFailing?: boolean;
  },
): Promise<Outcome>;
export const WAYS: readonly Way[];
