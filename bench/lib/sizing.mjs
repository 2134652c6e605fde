/** Computes what a deployment needs for a load, from the figures of the part `sizing`. */

/** The share of the measured capacity that a plan uses. */
export const USED = 0.6;
/** The number of agents in turn with which the reads of an active agent are measured. */
export const FEW_AGENTS = 1_000;
const DAY_SECONDS = 86_400;
/** The number of connections from one node to the database. */
const CONNECTIONS = { sqlite: 0, postgres: 11, redis: 2 };

export const NODE_TITLE = 'A node';
export const NODE_ROWS = {
  inProcess: 'a verdict in process, with its record',
  asyncFloor: 'floor: one asynchronous function',
  http: 'a request to agent-identity serve',
  httpFloor: 'floor: node:http, contract-shaped',
  passport: 'a passport in memory, of 100,000',
  reads: readsRow(FEW_AGENTS),
};
export const STORE_ROWS = {
  change: 'a change of a passport',
  spendOne: 'a spend on one budget',
  spendMany: 'a spend on 1,000 budgets',
  read: 'a read of a passport',
  rawRead: 'floor: a read by the raw client',
  passport: 'a passport stored',
};
/** The names of the rows for blocks, with the number of records in a block. */
export const BLOCK_SIZES = { 'a full block': 8_192, 'a block of 20': 20 };
const [FULL_BLOCK, SMALL_BLOCK] = Object.keys(BLOCK_SIZES);

/** Returns the name of the row with the database reads for this number of agents in turn. */
export function readsRow(agents) {
  return `reads of the storage, ${agents.toLocaleString('en')} agents in turn`;
}

export function storeTitle(engine) {
  return `Storage: ${engine}`;
}

/** Returns the figures for a plan from the tables of the part. Throws if a figure is missing. */
export function figuresOf({ tables }) {
  const rowsOf = (title) =>
    Object.fromEntries(
      (tables.find((table) => table.title === title)?.rows ?? []).map((row) => [row.name, row]),
    );
  const node = rowsOf(NODE_TITLE);
  const engines = Object.keys(CONNECTIONS).filter(
    (engine) => Object.keys(rowsOf(storeTitle(engine))).length > 0,
  );
  return {
    node: {
      inProcessNs: figure(node, NODE_ROWS.inProcess, 'cpu'),
      httpNs: figure(node, NODE_ROWS.http, 'cpu'),
      passportBytes: figure(node, NODE_ROWS.passport, 'bytes'),
      readsPerAgent: figure(node, NODE_ROWS.reads, 'reads') / FEW_AGENTS,
    },
    stores: Object.fromEntries(engines.map((engine) => [engine, storeFigures(rowsOf(storeTitle(engine)))])),
  };
}

function storeFigures(rows) {
  const costOf = (name) => ({ perSecond: figure(rows, name, 'perSecond'), cpuNs: figure(rows, name, 'cpu') });
  return {
    changes: costOf(STORE_ROWS.change),
    spends: costOf(STORE_ROWS.spendMany),
    oneBudget: costOf(STORE_ROWS.spendOne),
    reads: costOf(STORE_ROWS.read),
    fullBlocks: { ...costOf(FULL_BLOCK), bytes: figure(rows, FULL_BLOCK, 'bytes') },
    smallBlocks: { ...costOf(SMALL_BLOCK), bytes: figure(rows, SMALL_BLOCK, 'bytes') },
    passportBytes: figure(rows, STORE_ROWS.passport, 'bytes'),
  };
}

function figure(rows, name, key) {
  const value = rows[name]?.[key];
  if (typeof value !== 'number') throw new Error(`There is no figure for "${name}" (${key}).`);
  return value;
}

/**
 * Returns the resources that a load needs.
 *
 * The load has `agents`, `active` (agents with repeated requests), `verdicts` and `changes` per second, `spends` (the
 * share of verdicts that spend), `recordsPerBlock`, `retentionDays` and `storage`. If all demands together exceed
 * `USED`, the plan names the demand with the largest share of the database's capacity.
 */
export function planOf(load, { node, stores }) {
  const store = stores[load.storage];
  if (store === undefined) throw new Error(`There are no figures for ${load.storage}.`);
  const coresOf = (ns) => Math.max(1, Math.ceil((load.verdicts * ns) / 1e9 / USED));
  const nodes = coresOf(node.httpNs);
  const block = blockOf(load.recordsPerBlock, store);
  const demands = [
    ['reads', Math.min(load.verdicts, nodes * load.active * node.readsPerAgent), store.reads],
    ['spends', load.verdicts * load.spends, store.spends],
    ['changes', load.changes, store.changes],
    ['blocks', load.verdicts / load.recordsPerBlock, block],
  ].map(([line, perSecond, cost]) => ({
    line,
    per_second: perSecond,
    share: perSecond / cost.perSecond,
    cores: (perSecond * cost.cpuNs) / 1e9,
  }));
  const sumOf = (key) => demands.reduce((sum, demand) => sum + demand[key], 0);
  const largest = demands.reduce((most, demand) => (demand.share > most.share ? demand : most));
  const perDay = load.verdicts * DAY_SECONDS * block.bytes;
  return {
    nodes,
    in_process_cores: coresOf(node.inProcessNs),
    node_bytes: load.active * node.passportBytes,
    connections: nodes * CONNECTIONS[load.storage],
    demands,
    store_share: sumOf('share'),
    store_cores: sumOf('cores') / USED,
    store_bytes: perDay * load.retentionDays + load.agents * store.passportBytes,
    retention_days: load.retentionDays,
    fails_first: sumOf('share') > USED ? largest.line : 'nothing',
  };
}

/** Returns the cost of a block with this number of records: a fixed part, and a part for each record. */
function blockOf(records, { fullBlocks, smallBlocks }) {
  const full = BLOCK_SIZES[FULL_BLOCK];
  const small = BLOCK_SIZES[SMALL_BLOCK];
  const between = (atSmall, atFull) => {
    const each = (atFull - atSmall) / (full - small);
    return atSmall + each * (Math.min(Math.max(records, small), full) - small);
  };
  return {
    perSecond: 1 / between(1 / smallBlocks.perSecond, 1 / fullBlocks.perSecond),
    cpuNs: between(smallBlocks.cpuNs, fullBlocks.cpuNs),
    bytes:
      between(smallBlocks.bytes * small, fullBlocks.bytes * full) / Math.min(Math.max(records, small), full),
  };
}
