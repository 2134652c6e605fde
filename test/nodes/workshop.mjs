/** An engine and the nodes on it, which stay for the next proof where that can use them. */
import { openEngine } from './engines.mjs';
import { PROOFS } from './proofs.mjs';
import { openSite } from './site.mjs';

/** Runs the proofs on one engine, one after another; one that cannot go on is a row that fails. */
export async function proveOn(name, proofs, { report, randomOf, ...sizes }) {
  let engine;
  let site;
  let siteOptions;

  async function open(options = {}) {
    const wanted = JSON.stringify({ consistency: 'default', isDeaf: false, ...options });
    if (site !== undefined && siteOptions === wanted) return site;
    await leave();
    site = await openSite(engine, options);
    siteOptions = wanted;
    return site;
  }

  async function leave() {
    const left = site;
    site = undefined;
    await left?.close();
  }

  async function tearDown() {
    const removed = engine;
    engine = undefined;
    await leave();
    await removed?.remove();
  }

  try {
    for (const proof of proofs) {
      const say = (text) => report.say(`${name}: ${proof}: ${text}`);
      const row = (...cells) => report.row(name, ...cells);
      say('begins');
      try {
        if (PROOFS[proof].startsNodes) await leave();
        engine ??= await openEngine(name);
        await PROOFS[proof].prove({ ...sizes, engine, open, random: randomOf(), say, row });
      } catch (error) {
        say(error.stack);
        row(`${proof}: it runs to its end`, 'yes', error.message.split('\n', 1)[0], false);
        await tearDown();
      }
    }
  } finally {
    await tearDown();
  }
}
