/** Emits a process warning on runtimes that have them. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  process?.emitWarning?.(message, 'ToolGuardWarning');
}
