import type { ToolGuard } from 'agent-identity-service/guard';
import type { PayArguments } from '../matrix.mjs';

export interface Way {
  readonly name: string;
  readonly kind?: string;
  readonly isStreamed?: boolean;
  readonly isAsked?: boolean;
}
export interface Part {
  readonly type: string;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly preliminary?: boolean;
}
export function callTool(
  call: Partial<Way> & {
    readonly guard: ToolGuard;
    readonly args: PayArguments | string;
    readonly signal?: AbortSignal;
    readonly isFailing?: boolean;
  },
): Promise<{ readonly ran: readonly PayArguments[]; readonly parts: readonly Part[] }>;
export const WAYS: readonly Way[];
