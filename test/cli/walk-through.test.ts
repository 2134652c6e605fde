/** What a newcomer copies: the four commands that `serve` prints, and the walk-through over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '../readme/pages.ts';
import { assertPrinted, blocksOf } from '../readme/snippets.ts';
import { GIVEN, openFolder, runShell, type Serving, startServe } from '../support/process.ts';
import { hasCurl } from '../support/programs.ts';

if (hasCurl()) {
  let folder: string;
  let remove: () => void;
  let serving: Serving;
  let commands: readonly string[];

  beforeAll(async () => {
    ({ folder, remove } = openFolder());
    serving = await startServe({ cwd: folder, env: GIVEN });
    commands = serving
      .stdout()
      .split('\n')
      .filter((line) => line.includes('curl '));
    expect(commands).toHaveLength(4);
  });

  afterAll(async () => {
    await serving?.stop();
    remove();
  });

  const runHere = async (script: string): Promise<string> => {
    const { code, stdout, stderr } = await runShell(script, { cwd: folder, env: GIVEN });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  test('the printed commands with a misspelt amount end in DENY amount_required', async () => {
    const misspelt = commands.map((command) => command.replace('"amount":', '"ammount":'));
    expect(misspelt[3]).not.toBe(commands[3]);
    const printed = await runHere(misspelt.join('\n'));
    expect(printed.match(/"verdict":"\w+"/g)).toEqual(['"verdict":"DENY"', '"verdict":"DENY"']);
    expect(printed.match(/"code":"\w+"/g)).toEqual(['"code":"amount_required"', '"code":"amount_required"']);
  });

  test('the question of the README is an ALLOW after them', async () => {
    const [, section = ''] = readPage('README.md').split('## Over HTTP');
    const [question = ''] = /(?:^ {4}.*\n)+/m.exec(section) ?? [];
    const asked = question.replaceAll('http://localhost:3000', serving.origin);
    const [, printed] = (await runHere([...commands, "printf '\\036'", asked].join('\n'))).split('\u001e');
    expect(JSON.parse(printed ?? '')).toMatchObject({ verdict: 'ALLOW', reasons: [] });
  });

  test('the walk-through over HTTP works after them', async () => {
    const scripts = blocksOf(readPage('src/http/README.md')).filter(({ language }) => language === 'sh');
    expect(scripts.length).toBeGreaterThan(1);
    const texts = scripts.map(({ text }) => text.replaceAll('http://localhost:3000', serving.origin));
    const marked = [`${commands.join('\n')}`, ...texts].join("\nprintf '\\036'\n");
    const [, ...printed] = (await runHere(marked)).split('\u001e');
    for (const [index, { output }] of scripts.entries()) {
      if (output === undefined) expect(printed[index]).toBe('');
      else assertPrinted(printed[index] ?? '', output);
    }
  });
}
