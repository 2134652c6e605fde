/** Asks a question at the terminal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { usageError } from '../output/error.ts';

export async function askLine(
  question: string,
  problem = 'Add --yes: there is no terminal to ask at.',
): Promise<string> {
  if (!process.stdin.isTTY) throw usageError(problem);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // A question that ends with its input is never answered.
    const endedPromise = once(terminal, 'close').then(() => '');
    return await Promise.race([terminal.question(question), endedPromise]);
  } finally {
    terminal.close();
  }
}
