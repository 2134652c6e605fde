/**
 * A node to be killed: `node node.mjs <url of the storage> <when> <intent>`. It evaluates one intent and kills itself
 * `before` or `after` the write that uses up the proof, or answers (`never`) with the verdict on a line.
 */
import { createIdentityService } from '../../../dist/index.js';
import { openStorage } from '../../nodes/engines.mjs';

const [url, when, intent] = process.argv.slice(2);
const storage = await openStorage(url);
const service = createIdentityService({
  storage: { ...storage, write },
  ...JSON.parse(process.env.PROVING),
  storageDeadlineMs: 60_000,
});

async function write(changes) {
  const isUse = changes.some(({ op, counter }) => op === 'add' && counter.startsWith('proof:'));
  if (isUse && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await storage.write(changes);
  if (isUse && when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
}

const { verdict, reasons } = await service.verify(JSON.parse(intent));
process.stdout.write(`${[verdict, ...reasons.map(({ code }) => code)].join(' ')}\n`);
await service.close();
