/**
 * How much memory the CSV export of a million verdicts takes: npm run bench:export [-- records]
 *
 * Fills a SQLite file with blocks, then exports it over HTTP from a child process that only serves. Growth is the
 * highest resident memory of the child (VmHWM) after the export less that before it, when it has exported 1,000.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { createIdentityService } = await import('../dist/index.js');
const { nodeListener } = await import('../dist/http.js');
const { sqliteStorage } = await import('../dist/storage/sql.js');
const { packRecords } = await import('../dist/blocks.js');

const ACCOUNT = { email: 'ada@example.com', password: 'a password for the bench' };
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
const MAX_GROWTH_MIB = 100;
const IN_A_BLOCK = 8_192;
const WRITER = 'export'.padEnd(18, '0');

if (process.send === undefined) await measure(Number(process.argv[2] ?? 1_000_000));
else await serve(process.argv[2]);

async function measure(records) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-export-'));
  const file = join(folder, 'agents.db');
  try {
    const token = await fill(file, records);
    const child = fork(fileURLToPath(import.meta.url), [file]);
    const [{ port }] = await once(child, 'message');
    const few = await exportFrom(port, token, '?agent_id=did:web:example.com:agents:few');
    const before = statusOf(child.pid);
    const startedAt = performance.now();
    const all = await exportFrom(port, token, '');
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = statusOf(child.pid);
    child.kill();
    await once(child, 'exit');
    const growth = after.VmHWM - before.VmRSS;
    console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
    console.log(
      `${few.lines - 1} and ${all.lines - 1} records, ${mib(all.bytes)} MiB in ${seconds.toFixed(1)} s`,
    );
    console.log(`resident before ${before.VmRSS.toFixed(1)} MiB, highest ${after.VmHWM.toFixed(1)} MiB`);
    console.log(`growth ${growth.toFixed(1)} MiB (at most ${MAX_GROWTH_MIB})`);
    if (growth > MAX_GROWTH_MIB || all.lines !== records + 1) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(file) {
  const storage = await sqliteStorage({ file });
  return { storage, service: createIdentityService({ storage, session: { secret: SECRET } }) };
}

/** The records, and a token that reads them. */
async function fill(file, records) {
  const { storage, service } = await open(file);
  const { id: account_id } = await service.accounts.create(ACCOUNT);
  const startedAt = Date.now() - records;
  await storage.journal.open(WRITER, new Date().toISOString());
  for (let from = 0, seq = 1; from < records; from += IN_A_BLOCK, seq += 1) {
    const size = Math.min(IN_A_BLOCK, records - from);
    const given = Array.from({ length: size }, (_, index) => {
      return { record: recordOf(from + index, startedAt), bucket: 3 };
    });
    const [block] = packRecords(given);
    const name = { writer: WRITER, seq };
    const blocks = [{ ...name, account_id, ...block }];
    await storage.journal.file({ ...name, at: new Date().toISOString(), blocks });
    if (seq % 10 === 0) console.log(`${from + size} of ${records} stored`);
  }
  const { access_token } = await service.login(ACCOUNT);
  await service.close();
  return access_token;
}

function recordOf(index, startedAt) {
  const isDenied = index % 4 === 0;
  const reason = { code: 'amount_over_limit', message: 'The amount is over the limit.' };
  return {
    decision_id: `dec_${String(index).padStart(26, '0')}`,
    evaluated_at: new Date(startedAt + index).toISOString(),
    verdict: isDenied ? 'DENY' : 'ALLOW',
    reasons: isDenied ? [{ ...reason, limit: '100', actual: '2500' }] : [],
    agent_id: `did:web:example.com:agents:${index < 1_000 ? 'few' : `shopper-${index % 100}`}`,
    action: 'payments.create',
    target: 'did:web:shop.example.org:tills:1',
    amount: isDenied ? 2500 : 25,
    currency: 'EUR',
    passport_version: 1,
    environment: 'live',
    key_id: `key_${'0'.repeat(22)}`,
    request_id: null,
    dry_run: false,
  };
}

async function serve(file) {
  const { service } = await open(file);
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ port: server.address().port });
}

async function exportFrom(port, token, query) {
  const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/api/verifications${query}`, { headers });
  if (response.status !== 200) throw new Error(await response.text());
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return { bytes, lines };
}

/** Sizes of a process in MiB, from Linux. */
function statusOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const sizeOf = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1_024;
  return { VmRSS: sizeOf('VmRSS'), VmHWM: sizeOf('VmHWM') };
}

function mib(bytes) {
  return (bytes / 1_048_576).toFixed(1);
}
