import { target } from './part.mjs';
import { median, ratios } from './stats.mjs';

/** From Node 24 on a changed prototype costs next to nothing, and Express is held against a faster floor. */
const isSlowExpress = Number(process.versions.node.split('.', 1)[0]) < 24;

/** What issue 5 asks of HTTP, out of the rounds of the servers. Ratios are taken within each round. */
export function httpTargets(servers) {
  const of = (kind) => servers.find((server) => server.kind === kind);
  const ratio = (kind, floor, key, list = 'rounds') =>
    median(ratios(...[kind, floor].map((each) => of(each)[list].map((round) => round[key]))));
  const perSecond = (kind, floor) => ratio(kind, floor, 'perSecond');
  const beside = (title, peer, atLeast) =>
    target(`nodeListener / ${title}, requests`, perSecond('listener', peer), {
      atLeast,
      floor: perSecond('bare', peer),
    });
  return [
    target('nodeListener / node:http, CPU', ratio('listener', 'bare', 'cpuNs'), { atMost: 1.25 }),
    target('identityRouter / Express route, CPU', ratio('express', 'express-raw', 'cpuNs'), {
      atMost: isSlowExpress ? 1.25 : 1.35,
    }),
    target('p99 at saturation, listener / node:http', ratio('listener', 'bare', 'p99'), { atMost: 2.5 }),
    target('p99 at saturation, router / route', ratio('express', 'express-raw', 'p99'), { atMost: 2.5 }),
    target('p99 at 60 %, listener / node:http', ratio('listener', 'bare', 'p99', 'fixed'), { atMost: 1.5 }),
    target('p99 at 60 %, router / route', ratio('express', 'express-raw', 'p99', 'fixed'), { atMost: 1.5 }),
    ...(isSlowExpress
      ? [
          target(
            'createExpressServer / plain, requests, route',
            perSecond('express-raw-server', 'express-raw'),
            {
              atLeast: 2.5,
            },
          ),
          target('createExpressServer / plain, requests, router', perSecond('express-server', 'express'), {
            atLeast: 2.5,
          }),
        ]
      : []),
    ...(of('cerbos') === undefined
      ? []
      : [beside("Cerbos' PDP", 'cerbos', 10), beside('Better Auth', 'better-auth', 25)]),
  ];
}
