import { of, ratioOfRounds } from './http-figures.mjs';
import { pinningDoubt } from './pin.mjs';
import { target } from './target.mjs';

/** Returns the targets for the servers under load. Ratios are computed within each round. */
export function loadTargets(servers) {
  const cpu = (kind, floor) => ratioOfRounds(of(servers, kind).rounds, of(servers, floor).rounds, 'cpuNs');
  const asleep = (kind, floor) => ratioOfRounds(of(servers, kind).slept, of(servers, floor).slept, 'cpuNs');
  const hasWrk = of(servers, 'listener').slept.length > 0;
  return [
    target('our API in node:http / contract-shaped, CPU', cpu('listener', 'shaped'), { atMost: 1.35 }),
    target('nodeListener / all its work by hand, CPU', cpu('listener', 'by-hand'), { atMost: 1.15 }),
    target('our API in Express / contract-shaped in Express, CPU', cpu('express', 'express-shaped'), {
      atMost: 1.35,
    }),
    target('serve on memory / nodeListener, CPU', cpu('serve-memory', 'listener'), { atMost: 1.2 }),
    target('serve, default storage / memory, CPU', cpu('serve-default', 'serve-memory'), { atMost: 1.1 }),
    ...(hasWrk
      ? [
          target('serve on memory / nodeListener, CPU, wrk', asleep('serve-memory', 'listener'), {
            atMost: 1.2,
          }),
          target('serve, default storage / memory, CPU, wrk', asleep('serve-default', 'serve-memory'), {
            atMost: 1.1,
          }),
        ]
      : []),
    late(servers, 'listener', 'listener'),
    late(servers, 'serve-memory', 'serve on memory'),
    late(servers, 'serve-default', 'serve, default storage'),
  ];
}

function late(servers, kind, name) {
  const [{ fixed }, floor] = [of(servers, kind), of(servers, 'shaped')];
  const ratio = ratioOfRounds(fixed.shaped, floor.fixed[kind], 'p99');
  const untold = pinningDoubt();
  return target(`p99 at 60 %, ${name} / contract-shaped`, ratio, {
    atMost: 2,
    ...(untold !== undefined && { untold }),
  });
}
