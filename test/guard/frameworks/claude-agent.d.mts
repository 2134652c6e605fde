export function callTool(call: {
  readonly options: object;
  readonly args: unknown;
  readonly name?: string;
  readonly id?: string;
  readonly signal?: AbortSignal;
  readonly isFailing?: boolean;
  readonly interrupted?: boolean;
}): Promise<{ readonly ran: unknown[]; readonly told?: string; readonly stopped?: boolean }>;
