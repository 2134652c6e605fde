import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { CLI, type Ended, openFolder, runShell } from '../support/process.ts';

/** `verifications --csv` against services that do not keep to the contract. */
const LINE = `dec_1,2026-11-20T12:00:00.000Z,ALLOW,,${'x'.repeat(1_000)}\r\n`;
const CSV = { 'content-type': 'text/csv; charset=utf-8' };
const env = { AGENT_IDENTITY_TOKEN: 'a-token' };

let folder: string;
let remove: () => void;
let server: Server | undefined;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  server = undefined;
  remove();
});

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function exportFrom(listener: RequestListener): Promise<Ended> {
  const url = await listen(listener);
  return run(['verifications', '--csv', '--url', url], { cwd: folder, env });
}

test('an export that breaks off is a failure, whatever came before', async () => {
  const ended = await exportFrom((_request, response) => {
    response.writeHead(200, CSV);
    response.write(LINE, () => response.destroy());
  });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/broke off in the middle\.\n$/) });
});

test('an answer that is no CSV is a failure that prints none of it', async () => {
  const ended = await exportFrom((_request, response) => response.end('{"data":[]}'));
  expect(ended).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/ is not the API of the service /),
  });
});

test('a reader who goes early ends an export without end', async () => {
  const url = await listen((_request, response) => {
    response.writeHead(200, CSV);
    const more = (): void => {
      while (response.write(LINE));
      response.once('drain', more);
    };
    more();
  });
  const line = `{ '${process.execPath}' '${CLI}' verifications --csv --url ${url}; echo "exit code $?" >&2; } | head -1`;
  const ended = await runShell(line, { cwd: folder, env });
  expect(ended).toMatchObject({ code: 0, stdout: LINE, stderr: 'exit code 0\n' });
});
