import type { LogEvent, Logger } from '../../../src/index.ts';
import { printError, visible } from '../output/terminal.ts';

export function createLogger(format: 'text' | 'json'): Logger {
  return (event) => {
    const instant = new Date().toISOString();
    printError(format === 'json' ? JSON.stringify({ at: instant, ...event }) : textLine(instant, event));
  };
}

function textLine(instant: string, { level, event, message, ...facts }: LogEvent): string {
  const shownFacts = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return visible(`${instant} ${level} ${event}: ${message}${shownFacts.join('')}`);
}
