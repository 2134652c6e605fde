import type { MCPServer } from '@openai/agents';
import type { ToolGuard } from 'agent-identity-service/guard';
import type { ZodObject } from 'zod';
import type { PayArguments } from '../matrix.mjs';

export interface Way {
  readonly name: string;
  readonly isStreamed?: boolean;
  readonly isMcp?: boolean;
  readonly isFull?: boolean;
}
export function serverOf(ran: unknown[], name?: string): MCPServer;
export function callTool(
  call: Partial<Way> & {
    readonly guard: ToolGuard;
    readonly args: PayArguments | string;
    readonly signal?: AbortSignal;
    readonly isFailing?: boolean;
    readonly schema?: ZodObject;
    readonly options?: object;
  },
): Promise<{
  readonly ran: readonly PayArguments[];
  readonly outputs: readonly unknown[];
  readonly error: unknown;
}>;
export const WAYS: readonly Way[];
