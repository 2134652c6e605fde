import type { LogEvent, Logger } from '../../../src/index.ts';
import { printError, visible } from '../output/terminal.ts';

export function createLogger(format: 'text' | 'json'): Logger {
  return (event) => {
    const at = new Date().toISOString();
    printError(format === 'json' ? JSON.stringify({ at, ...event }) : textLine(at, event));
  };
}

function textLine(at: string, { level, event, message, ...facts }: LogEvent): string {
  const shown = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return visible(`${at} ${level} ${event}: ${message}${shown.join('')}`);
}
