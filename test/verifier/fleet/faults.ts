/** What goes wrong in a fleet all the time: the wire, the store of the nodes, processes that stand still, wall clocks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_FAULTS } from './balancer.ts';
import type { Fleet } from './fleet.ts';
import type { Program } from './programs.ts';

const HOUR_MS = 3_600_000;
/** Between two stops, or two clocks that are set. */
const PAUSE_MS = 250;

/**
 * Begins the faults; the returned function ends them, and repairs what is broken. `isHarsh`: all notices
 * are lost all the time, and one answer in five.
 */
export function beginFaults(fleet: Fleet, random: () => number, isHarsh = false): () => Promise<void> {
  const { nodes, deciding, balancer } = fleet;
  let isOver = false;
  const any = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
  balancer.faults = { delayed: 0.12, cut: isHarsh ? 0.2 : 0.04, twice: 0.05 };

  async function stop({ child }: Program, ms: number): Promise<void> {
    child.kill('SIGSTOP');
    await sleep(ms);
    child.kill('SIGCONT');
  }

  /** One node at a time is away: the others take the changes. */
  async function awayNode(): Promise<void> {
    const node = any(nodes);
    const ms = 300 + random() * 1_700;
    node.isAway = true;
    if (random() < 0.5) await stop(node, ms);
    else {
      node.setClock(any([HOUR_MS, -HOUR_MS]));
      await sleep(ms);
      node.setClock(0);
    }
    node.isAway = false;
  }

  async function keepOn(fault: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!isOver) {
      await sleep(random() * 2 * pauseMs);
      await fault();
    }
  }

  const all = [
    keepOn(awayNode, PAUSE_MS * 4),
    keepOn(() => stop(any(deciding), 200 + random() * 2_300), PAUSE_MS),
    keepOn(async () => any(deciding).setClock(any([0, HOUR_MS, -HOUR_MS])), PAUSE_MS),
    // Notices are lost for some time altogether, and reads are slow.
    keepOn(async () => {
      for (const node of nodes)
        node.setFaults({ lost: isHarsh ? 1 : any([0, 0.5, 1, 1]), slow: any([0, 0.3, 1]) });
    }, PAUSE_MS * 4),
  ];
  return async () => {
    isOver = true;
    await Promise.all(all);
    balancer.faults = NO_FAULTS;
    for (const node of nodes) node.setFaults({ lost: 0, slow: 0 });
    for (const one of [...nodes, ...deciding]) one.setClock(0);
  };
}
