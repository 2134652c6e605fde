import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { usageError } from '../output/error.ts';

/** Resolves after a person has typed `text` again. Throws a usage error for another text, or without a terminal. */
export async function confirmed(question: string, text: string): Promise<void> {
  if (!process.stdin.isTTY) throw usageError('Add --yes: there is no terminal to ask at.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // A question that ends with its input is never answered.
    const endedPromise = once(terminal, 'close').then(() => undefined);
    const typedText = await Promise.race([
      terminal.question(`${question}\nType ${text} to continue: `),
      endedPromise,
    ]);
    if (typedText?.trim() !== text) throw usageError(`The answer was not ${text}. Nothing was changed.`);
  } finally {
    terminal.close();
  }
}
