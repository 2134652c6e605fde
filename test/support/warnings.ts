import { onTestFinished } from 'vitest';

/**
 * Collects what Node warns of until the test ends. A guard of a file that ran before in this process may still report
 * that its service is gone, so its warnings are left out.
 */
export function collectWarnings(): readonly Error[] {
  const warnings: Error[] = [];
  const collect = (warning: Error): void => {
    if (warning.name !== 'ToolGuardWarning') warnings.push(warning);
  };
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  return warnings;
}
