/** The examples below the help of a verb. */

/** One example. */
export function example(line: string): string {
  return `\nExample:\n  $ agent-identity ${line}`;
}

/** The same call on the storage and over HTTP. */
export function exampleOfBoth(line: string): string {
  return `\nExamples:\n  $ agent-identity ${line}\n  $ agent-identity ${line} --url http://localhost:3000/api`;
}
