/** Measures verdicts while the service checks a thousand domains whose name servers do not answer. */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { nodeDomainProver } from 'agent-identity-service/node';
import { openService } from './service.mjs';
import { median, quantile, ratios } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';
import { freshIntents, makeWork } from './work.mjs';

/** The number of checks that an account may do in an hour. */
const OF_AN_ACCOUNT = 60;
const TIMEOUT_MS = 1_000;
const PASSWORD = 'a password for the bench';

/** Measures p99 of a verdict with and without the checks, in alternation within each round. */
export async function verdictsBesideDeadHosts({ isQuick, rounds, report }) {
  const checks = isQuick ? 60 : 1_000;
  const verdicts = isQuick ? 200 : 20_000;
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  resolver.setServers([`127.0.0.1:${silent.address().port}`]);
  const { passports, texts } = makeWork({ intents: 1_000 });
  const { service, settle } = await openService(passports, { domainProver: nodeDomainProver({ resolver }) });
  const intents = freshIntents(texts);
  const found = { without: [], beside: [] };
  for (let round = 0; round <= rounds; round += 1) {
    report(`dead hosts: round ${round} of ${rounds}`);
    const claims = await claimsOf(service, checks, round);
    await settle();
    const without = await p99Of(service, intents, verdicts);
    await settle();
    const looking = claims.map(([domain, actor]) =>
      service.domains.check(domain, actor).catch(({ code }) => code),
    );
    const beside = await p99Of(service, intents, verdicts);
    const codes = new Set(await Promise.all(looking));
    if ([...codes].join() !== 'conflict') throw new Error(`A check ended with ${[...codes]}.`);
    if (round === 0) continue;
    found.without.push(without);
    found.beside.push(beside);
  }
  await service.close();
  silent.close();
  const ratio = median(ratios(found.beside, found.without));
  return {
    table: {
      title: `A verdict, while ${checks} domains are looked at whose name servers do not answer`,
      note: 'One awaited call timed by itself, one each time the event loop comes round.',
      columns: [column('p99', 'p99 of single calls', 'ns'), column('ratio', 'x without', 'x')],
      rows: [
        { name: 'verify', p99: median(found.without), ratio: 1 },
        { name: 'verify, beside the checks', p99: median(found.beside), ratio },
      ],
    },
    targets: [target('verify p99 beside 1,000 checks of dead hosts / without', ratio, { atMost: 1.2 })],
  };
}

/** Creates claims for accounts that have not checked a domain yet. */
async function claimsOf(service, count, round) {
  const claims = [];
  let actor;
  for (let at = 0; at < count; at += 1) {
    if (at % OF_AN_ACCOUNT === 0) {
      const email = `dead-${round}-${at}@example.com`;
      actor = { account_id: (await service.accounts.create({ email, password: PASSWORD })).id };
    }
    const domain = `host-${round}-${at}.example`;
    await service.domains.claim(domain, actor);
    claims.push([domain, actor]);
  }
  return claims;
}

async function p99Of(service, intents, count) {
  const samples = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const startedAt = performance.now();
    await service.verify(intents[at % intents.length]);
    samples[at] = (performance.now() - startedAt) * 1e6;
  }
  return quantile(samples, 0.99);
}
