/** Measures the work for a record after its verdict was returned, compared with only filling its columns. */
import { createBlockBuilder } from '../../dist/bench/blocks.js';
import { KEPT_IN_MEMORY } from './service.mjs';
import { median, range } from './stats.mjs';

/** The number of times that the columns are filled in a round, because a single time takes only about a millisecond. */
const FILLS = 20;
/** The latency bucket of the records. Every bucket takes the same time. */
const BUCKET = 3;

/**
 * Returns the CPU nanoseconds of the process per verdict, round by round.
 *
 * `flow` is the work until the verdict is stored and counted. `columns` is the work to fill the columns of blocks with
 * existing records. The rounds before the first measured round fill the memory of the storage. From then on each record
 * removes another.
 */
export async function filingRounds({ service, settle, warm, inputs, rounds, isQuick, report }) {
  const found = { flow: [], columns: [] };
  const records = await recordsOf(service, inputs(), settle);
  const builder = createBlockBuilder();
  for (let round = isQuick ? 0 : -KEPT_IN_MEMORY / records.length; round < rounds; round += 1) {
    report(round < 0 ? 'the memory is filled' : `round ${round + 1} of ${rounds}`);
    const intents = inputs();
    await warm(service);
    const flow = await cpuOf(async () => {
      for (const intent of intents) await service.verify(intent);
      await settle();
    });
    // Its code is compiled by the time that it is measured.
    fillColumns(builder, records);
    if (round < 0) continue;
    found.flow.push(flow / intents.length);
    const columns = await cpuOf(() => {
      for (let fill = 0; fill < FILLS; fill += 1) fillColumns(builder, records);
    });
    found.columns.push(columns / (FILLS * records.length));
  }
  return found;
}

/** Returns a row of the table. `answered` is the number of nanoseconds until a verdict is returned. */
export function filingRow(name, { flow, columns }, answered) {
  const p50 = median(flow);
  const filing = p50 - answered;
  const alone = median(columns);
  return {
    name,
    p50,
    spread: range(flow),
    filing,
    share: filing / p50,
    columns: alone,
    ratio: filing / alone,
  };
}

async function recordsOf(service, intents, settle) {
  const records = [];
  for (const intent of intents) records.push(await service.verify(intent));
  await settle();
  return records;
}

function fillColumns(builder, records) {
  for (const record of records) {
    if (builder.push(record, BUCKET)) continue;
    builder.seal();
    if (!builder.push(record, BUCKET)) throw new Error('A record fits into no block.');
  }
  if (builder.seal().records === 0) throw new Error('The last block is empty.');
}

/** Returns the CPU nanoseconds of all threads of the process. */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1e3;
}
