/**
 * Writes until it is killed: `node checkpoint-node.mjs <file> <library> <writer>` files one block after another, and
 * prints the number of each that was acknowledged. Forty of them make a log long.
 */
import { sqliteStorage } from '../../dist/storage/sql.js';

const BLOCK_BYTES = 100_000;

const [file, library, writer] = process.argv.slice(2);
const storage = await sqliteStorage({ file, library });
const at = new Date(0).toISOString();
await storage.journal.open(writer, at);
for (let seq = 1; ; seq += 1) {
  const block = {
    ...{ writer, seq, account_id: 'acc_a', from_ms: 0, to_ms: 0, records: 1, denied: 0, flags: 1, erased: 0 },
    ...{ filter: new Uint8Array(32), data: new Uint8Array(BLOCK_BYTES).fill(seq) },
  };
  await storage.journal.file({ writer, seq, at, blocks: [block] });
  process.stdout.write(`${seq}\n`);
}
