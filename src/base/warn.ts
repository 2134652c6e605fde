/** Emits a process warning if the runtime supports it. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  process?.emitWarning?.(message, 'ToolGuardWarning');
}
