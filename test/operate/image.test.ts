/** The image of examples/operate, without an engine: what its Dockerfile does, in the folder of an installed package. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { administer, hasPostgres } from '../storage/postgres-database.ts';
import { installPacked } from '../support/packed.ts';
import { freePort } from '../support/private-servers.mjs';
import { GIVEN, ready, start } from '../support/process.ts';

const run = promisify(execFile);
const NAME = 'agent-identity-service';
/** The packages that the command loads, and the client that the Dockerfile adds. */
const PACKAGES = [
  ...['@noble/hashes', 'commander', 'express', 'jose', 'kysely', 'lru-cache', 'pg'],
  ...['@opentelemetry/api', 'keyv'],
];

/** The arguments of an instruction in JSON: the last one of the Dockerfile. */
function instruction(dockerfile: string, pattern: RegExp): readonly [string, ...string[]] {
  const [, json = 'null'] = pattern.exec(dockerfile) ?? [];
  return JSON.parse(json);
}

test.skipIf(!(await hasPostgres()))(
  'the image serves from the installed package, and is healthy',
  async () => {
    const { folder, files } = await installPacked(PACKAGES);
    const installed = join(folder, 'node_modules', NAME);
    const read = (name: string) => readFileSync(join(installed, 'examples/operate', name), 'utf8');
    const dockerfile = read('Dockerfile');

    // The first stage: the package can be packed where it is installed, and nothing is missing then.
    const [, pack = ''] = /^RUN (npm pack [^&]*) && /m.exec(dockerfile) ?? [];
    const again = await run('sh', ['-c', `${pack} --json`], {
      cwd: installed,
      maxBuffer: 64 * 1_024 * 1_024,
    });
    const [packed] = JSON.parse(again.stdout) as [{ readonly files: readonly { readonly path: string }[] }];
    expect(packed.files.map(({ path }) => path).sort()).toEqual([...files].sort());

    // The second stage: its command serves, and its check finds it healthy.
    const { services } = parse(read('compose.yaml'), { merge: true });
    const administration = administer();
    onTestFinished(() => administration.end());
    const [port, counts] = [`${await freePort()}`, await freePort()];
    const env = {
      ...services['node-1'].environment,
      ...GIVEN,
      HOST: '127.0.0.1',
      PORT: port,
      AGENT_IDENTITY_STORAGE: await administration.newSchema(),
      AGENT_IDENTITY_PUBLIC_URL: 'http://localhost:3000/api',
      AGENT_IDENTITY_METRICS: `127.0.0.1:${counts}`,
      AGENT_IDENTITY_EMAIL: 'admin@example.com',
      AGENT_IDENTITY_LOG: 'text',
    };
    const [command, ...args] = instruction(dockerfile, /^CMD (\[.*\])$/m);
    const [checker, ...check] = instruction(dockerfile, /^HEALTHCHECK .* CMD (\[.*\])$/m);
    await expect(run(checker, check, { env: { ...process.env, PORT: port } })).rejects.toMatchObject({
      code: 1,
    });
    const serving = await ready(start(command, args, { cwd: folder, env }));
    onTestFinished(async () => {
      await serving.stop();
    });
    await run(checker, check, { env: { ...process.env, PORT: port } });
    expect(await (await fetch(`http://127.0.0.1:${counts}/metrics`)).text()).toContain(
      'agent_identity_build_info',
    );
    expect((await serving.stop()).code).toBe(0);
  },
);
