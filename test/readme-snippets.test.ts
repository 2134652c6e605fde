/** That every block of the README runs, and prints what stands below it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkplace, type Running, root, startServer, type Workplace } from './readme/run.ts';
import { assertPrinted, type Block, blocksOf, SET_UP } from './readme/snippets.ts';
import { hasCurl } from './support/curl.ts';

const blocks = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'));
const scripts = blocks.filter(({ language, text }) => language === 'sh' && !SET_UP.includes(text.trim()));
const modules = blocks.filter(({ language }) => language === 'js');
const PASSWORD = 'a password for the README';

if (hasCurl()) {
  let workplace: Workplace;
  let server: Running;
  let printed: readonly string[];
  let apiKey: string;

  beforeAll(async () => {
    workplace = await openWorkplace({
      AGENT_IDENTITY_PASSWORD: PASSWORD,
      AGENT_IDENTITY_STORAGE: 'sqlite:./agent-identity.db',
    });
    server = await startServer(workplace);
    const texts = [...scripts.map(({ text }) => onThisPort(text)), 'printf %s "$key"'];
    printed = await workplace.runShell(texts);
    apiKey = printed.at(-1) ?? '';
  });

  afterAll(async () => {
    await server?.stop();
    await workplace?.remove();
  });

  const onThisPort = (text: string): string =>
    text.replaceAll('http://localhost:3000', `http://localhost:${server.port}`);

  describe('a script prints what it is said to print', () => {
    for (const [index, script] of scripts.entries()) {
      test(nameOf(script), () => expectPrinted(printed[index], script));
    }
  });

  describe('a module runs and prints what it is said to print', () => {
    for (const module of modules) {
      test(nameOf(module), async () => {
        const key = `process.env.AGENT_IDENTITY_API_KEY = ${JSON.stringify(apiKey)};`;
        expectPrinted(await workplace.runModule(`${key}\n${onThisPort(module.text)}`), module);
      });
    }
  });
}

function nameOf({ line, text }: Block): string {
  return `line ${line}: ${text.split('\n', 1)[0]}`;
}

function expectPrinted(given: string | undefined, { output }: Block): void {
  if (output === undefined) expect(given).toBe('');
  else assertPrinted(given ?? '', output);
}
