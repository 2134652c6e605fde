/** That every block of every page runs, and prints what stands below it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NEEDS_DATABASE, type OwnDatabase, openDatabase, serversFor } from './readme/database.ts';
import { pages, readPage } from './readme/pages.ts';
import { newApiKey, openWorkplace, type Running, startServer, type Workplace } from './readme/run.ts';
import { assertPrinted, type Block, blocksOf, SET_UP } from './readme/snippets.ts';
import { hasCurl } from './support/programs.ts';
import { waysToTry } from './support/runs.ts';

const PASSWORD = 'a password for the README';
const ADDRESS = 'http://localhost:3000';

/** In which order they are tried: at the desk only the first. */
const tried = ['README.md', ...pages.filter((page) => page !== 'README.md' && page !== 'llms.txt')];

const named = Object.fromEntries(tried.map((page) => [page, page]));

for (const [page] of waysToTry(named, 1, 'the snippets', tried.length)) {
  const all = blocksOf(readPage(page)).filter(isRun);
  const { missing, variables } = await serversFor(all.map(({ text }) => text));
  const blocks = all.filter(({ text }) => !missing.some((name) => text.includes(name)));
  if (blocks.length > 0) describe(page, () => runAll(blocks, variables));
}

describe('llms.txt', () => {
  test('the snippets run as one program, in their order', async () => {
    const blocks = blocksOf(readPage('llms.txt'));
    const workplace = await openWorkplace({});
    onTestFinished(() => workplace.remove());
    const marked = blocks.filter(isRun).map(({ text }) => `${text}\nconsole.log('\\u001e');`);
    const printed = (await workplace.runModule(marked.join('\n'))).split('\u001e\n');
    for (const [index, block] of blocks.filter(isRun).entries()) expectPrinted(printed[index], block);
  });
});

/** The scripts of a page run first, in one shell; then its modules, in their order. */
function runAll(blocks: readonly Block[], variables: Readonly<Record<string, string>>): void {
  const scripts = blocks.filter(({ language }) => language === 'sh');
  if (scripts.some(({ text }) => text.includes('curl ')) && !hasCurl()) return;
  const modules = blocks.filter(({ language }) => language === 'js');
  let workplace: Workplace;
  let server: Running | undefined;
  let database: OwnDatabase | undefined;
  let apiKey = '';
  let printed: readonly string[];

  beforeAll(async () => {
    if (blocks.some(({ text }) => text.includes(NEEDS_DATABASE))) database = await openDatabase();
    workplace = await openWorkplace({
      ...variables,
      ...(database !== undefined && { DATABASE_URL: database.url }),
      AGENT_IDENTITY_PASSWORD: PASSWORD,
      AGENT_IDENTITY_STORAGE: 'sqlite:./agent-identity.db',
    });
    if (blocks.some(({ text }) => text.includes(ADDRESS))) {
      server = await startServer(workplace);
      apiKey = await newApiKey(server, PASSWORD);
    }
    // What a page writes into the home folder stays in this one.
    workplace.env['HOME'] = workplace.folder;
    printed = await workplace.runShell(scripts.map(({ text }) => onThisPort(text)));
  });

  afterAll(async () => {
    await server?.stop();
    await workplace?.remove();
    await database?.remove();
  });

  const onThisPort = (text: string): string =>
    server === undefined ? text : text.replaceAll(ADDRESS, `http://localhost:${server.port}`);

  for (const [index, script] of scripts.entries()) {
    test(nameOf(script), () => expectPrinted(printed[index], script));
  }
  for (const module of modules) {
    test(nameOf(module), async () => {
      const key = `process.env.AGENT_IDENTITY_API_KEY = ${JSON.stringify(apiKey)};`;
      expectPrinted(await workplace.runModule(`${key}\n${onThisPort(module.text)}`), module);
    });
  }
}

function isRun({ language, text }: Block): boolean {
  return language === 'js' || (language === 'sh' && !SET_UP.includes(text.trim()));
}

function nameOf({ line, text }: Block): string {
  return `line ${line}: ${text.split('\n', 1)[0]}`;
}

function expectPrinted(given: string | undefined, { output }: Block): void {
  if (output === undefined) expect(given).toBe('');
  else assertPrinted(given ?? '', output);
}
