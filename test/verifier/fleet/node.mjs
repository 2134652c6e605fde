/**
 * A node whose storage loses notices and has slow reads, as its messages say: `{ faults }`. Methods of its service are
 * called by `{ id, method, args }`; the answer says when they settled, by the clock of the machine.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStorage } from '../../nodes/engines.mjs';

const { createIdentityService } = await import('../../../dist/index.js');
const { nodeListener } = await import('../../../dist/http.js');
const { verifiers } = await import('../../../dist/verifiers.js');

/** Shares of the notices that are lost, and of the reads that take long. */
const faults = { lost: 0, slow: 0 };
/** Longer than `age` allows with what else is between a change and a verdict, were it not counted. */
const SLOW_MS = 300;

const storage = await openStorage(process.argv[2], { timeoutMs: 30_000 });
const service = createIdentityService({
  storage: bent(storage),
  capabilities: [verifiers()],
  storageDeadlineMs: 30_000,
  rateLimits: 'off',
  session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
});
const server = createServer(nodeListener(service));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', async (message) => {
  if (message.faults) Object.assign(faults, message.faults);
  if (message.method) process.send({ id: message.id, ...(await call(message)) });
});
process.channel.ref();
process.once('SIGTERM', async () => {
  server.closeAllConnections();
  await service.close();
  process.exit(0);
});

async function call({ method, args }) {
  const [room, name] = method.includes('.') ? method.split('.') : [undefined, method];
  const owner = room === undefined ? service : service[room];
  try {
    const result = await owner[name](...args);
    return { result, at: Number(process.hrtime.bigint()) / 1e6 };
  } catch ({ code, message }) {
    return { error: `${method}: ${code ?? ''} ${message}` };
  }
}

function bent(inner) {
  return {
    ...inner,
    async get(...asked) {
      const found = await inner.get(...asked);
      if (Math.random() < faults.slow) await sleep(SLOW_MS);
      return found;
    },
    subscribe: (hear, ...rest) =>
      inner.subscribe((notices) => Math.random() >= faults.lost && hear(notices), ...rest),
  };
}
