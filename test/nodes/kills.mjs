/** kill -9 in the middle of writes: of the nodes, and of the store below them. */
import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.mjs';
import { createClient } from './client.mjs';
import { keepWriting, openLedger } from './ledger.mjs';
import { startNode } from './node-process.mjs';
import { openSite } from './site.mjs';

const WRITERS = 4;
/** The most acknowledgements between two kills. */
const MAX_WRITES = 40;
const SAY_EVERY = 25;
/** A store that is back and not written to within this is not taken up again. */
const TAKE_UP_MS = 60_000;

/** Kills nodes `kills` times while others go on; the books, and what the audit says. */
export async function killNodes({ engine, kills, random, say }) {
  const { token, account_id, close } = await openSite(engine, { count: 1 });
  await close();
  const ledger = openLedger();
  let left = kills;

  async function keepKilling() {
    while (left > 0) {
      left -= 1;
      const node = await startNode({ storage: engine.url });
      const client = createClient(node.origin);
      const isOver = () => !node.isRunning();
      const given = { ledger, node: client, token, random, isOver };
      const writers = Array.from({ length: WRITERS }, () => keepWriting(given));
      try {
        // The number of writes decides when it dies, so that it dies in the middle of some.
        await acknowledged(ledger, 1 + Math.floor(random() * MAX_WRITES), node);
      } finally {
        await node.kill();
        await Promise.all(writers);
        client.close();
      }
      if (left % SAY_EVERY === 0) say(`${kills - left} kills, ${ledger.acknowledged} writes acknowledged`);
    }
  }

  // A file belongs to one process.
  await Promise.all(Array.from({ length: engine.name === 'sqlite' ? 1 : 2 }, keepKilling));
  return { ledger, ...(await audit(engine.url, account_id, ledger)) };
}

/** Kills the store `kills` times below two nodes that go on; also how long after its return it was written to. */
export async function killStore({ engine, kills, random, say }) {
  const site = await openSite(engine, { count: 2 });
  const ledger = openLedger();
  const takenUp = [];
  let isOver = false;
  const given = { ledger, token: site.token, random, isOver: () => isOver };
  const writers = site.nodes.flatMap((node) =>
    Array.from({ length: WRITERS }, () => keepWriting({ ...given, node })),
  );
  try {
    for (let count = 1; count <= kills; count += 1) {
      await acknowledged(ledger, 1 + Math.floor(random() * MAX_WRITES), site.nodes[0].process);
      await engine.server.kill();
      await engine.server.restart();
      const started = performance.now();
      await acknowledged(ledger, 1, site.nodes[0].process);
      takenUp.push(performance.now() - started);
      if (count % SAY_EVERY === 0) say(`${count} kills, ${ledger.acknowledged} writes acknowledged`);
    }
    isOver = true;
    await Promise.all(writers);
    const survivors = site.nodes.filter(({ process }) => process.isRunning()).length;
    return { ledger, survivors, takenUp, ...(await audit(engine.url, site.account_id, ledger)) };
  } finally {
    isOver = true;
    await site.close();
  }
}

/** Waits until the given number of further writes is acknowledged. */
async function acknowledged(ledger, more, node) {
  const enough = ledger.acknowledged + more;
  const started = performance.now();
  while (ledger.acknowledged < enough) {
    if (!node.isRunning()) throw new Error(`A node died by itself:\n${node.written()}`);
    if (performance.now() - started > TAKE_UP_MS)
      throw new Error(`No write within a minute:\n${node.written()}`);
    await pause(1);
  }
}
