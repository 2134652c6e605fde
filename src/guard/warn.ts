/** Warns the host by its process, where the runtime has warnings. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  process?.emitWarning?.(message, 'ToolGuardWarning');
}
