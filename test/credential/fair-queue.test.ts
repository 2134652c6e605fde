import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fairQueue, type Visitor } from '../../src/credential/fair-queue.ts';

fc.configureGlobal({ seed: 20261122 });

interface Named extends Visitor {
  readonly name: string;
}

/** `1.2.3` is of the networks `1`, `1.2` and `1.2.3`. */
function visitor(address: string, name = address, hasFailed = false): Named {
  const [a, b, c] = address.split('.');
  return { name, hasFailed, networks: [`${a}`, `${a}.${b}`, `${a}.${b}.${c}`] };
}

const failed = (address: string, name?: string) => visitor(address, name, true);

/** A queue with a visitor of `running` that has its turn, and the others waiting. */
function open(running: string, waiting: readonly Named[], places = 64) {
  const queue = fairQueue<Named>(places);
  let active = visitor(running);
  queue.start(active);
  for (const one of waiting) expect(queue.join(one)).toBeUndefined();
  const next = () => {
    queue.leave(active);
    const found = queue.next();
    if (found !== undefined) active = found;
    return found?.name;
  };
  return {
    queue,
    next,
    all: () => {
      const names: string[] = [];
      for (let name = next(); name !== undefined; name = next()) names.push(name);
      return names;
    },
  };
}

const numbered = (address: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => visitor(address(index), `${index}`));

describe('turns', () => {
  test('in one network go to the first come', () => {
    expect(
      open(
        '1.1.1',
        numbered(() => '1.1.1', 5),
      ).all(),
    ).toEqual(['0', '1', '2', '3', '4']);
  });

  test.each([
    ['the same address', () => '1.1.1'],
    ['as many addresses of a network', (index: number) => `1.1.${index}`],
    ['as many networks of a wider one', (index: number) => `1.${index}.1`],
  ])('go to another network next, however many wait from %s', (_, address) => {
    const { queue, next } = open('1.1.1', numbered(address, 40));
    queue.join(visitor('2.1.1', 'other'));
    expect(next()).toBe('other');
  });

  test('go round the networks, and within each round those below', () => {
    const waiting = ['1.1.1', '1.1.1', '1.1.2', '1.2.1', '2.1.1', '2.1.1', '3.1.1'];
    const { all } = open(
      '1.1.1',
      waiting.map((address) => visitor(address)),
    );
    expect(all()).toEqual(['2.1.1', '3.1.1', '1.2.1', '2.1.1', '1.1.2', '1.1.1', '1.1.1']);
  });

  test('come once for every other network at most, also when others join meanwhile', () => {
    const address = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2)).map((parts) => parts.join('.'));
    const step = fc.oneof(
      { weight: 3, arbitrary: address.map((from) => ({ from })) },
      { weight: 2, arbitrary: fc.constant({ from: undefined }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { queue, next } = open('9.9.9', []);
        const waiting: string[] = [];
        /** The turns of other networks since this one began to wait, or had its own last turn. */
        const since = new Map<string, string[]>();
        for (const { from } of steps) {
          const [network = ''] = (from ?? next() ?? '').split('.');
          if (from !== undefined) {
            queue.join(visitor(from));
            if (!waiting.includes(network)) since.set(network, []);
            waiting.push(network);
          } else if (network !== '') {
            waiting.splice(waiting.indexOf(network), 1);
            since.set(network, []);
            for (const [other, turns] of since) if (other !== network) turns.push(network);
          }
          for (const [other, turns] of since) {
            if (waiting.includes(other)) expect(new Set(turns).size).toBe(turns.length);
          }
        }
      }),
    );
  });
});

describe('visitors without failures', () => {
  test('come first', () => {
    const { queue, next } = open('1.1.1', [failed('2.1.1'), failed('3.1.1')]);
    queue.join(visitor('1.1.1', 'first'));
    expect(next()).toBe('first');
  });

  test('pass by those with failures three times in a row at most', () => {
    const { queue, next } = open('1.1.1', [failed('2.1.1', 'with failures')]);
    const names: (string | undefined)[] = [];
    for (let time = 0; time < 8; time += 1) {
      queue.join(visitor(`${10 + time}.1.1`, 'without'));
      names.push(next());
    }
    expect(names.indexOf('with failures')).toBe(3);
  });

  test('come next once the last of those with failures has left, however many were passed by', () => {
    const impatient = failed('2.1.1');
    const { queue, next } = open('1.1.1', [impatient]);
    for (let time = 0; time < 3; time += 1) {
      queue.join(visitor('3.1.1', `${time}`));
      expect(next()).toBe(`${time}`);
    }
    queue.leave(impatient);
    queue.join(visitor('3.1.1', 'next'));
    expect(next()).toBe('next');
  });

  test('come by turns of their networks, and so do the others', () => {
    const { all } = open('1.1.1', [failed('1.1.1', 'a'), failed('1.1.2', 'b'), failed('2.1.1', 'c')]);
    expect(all()).toEqual(['c', 'b', 'a']);
  });
});

describe('a visitor of no network below the widest', () => {
  const local = (name: string, hasFailed = false): Named => ({ name, hasFailed, networks: ['local'] });

  test('has its turn in the order of coming', () => {
    const queue = fairQueue<Named>(4);
    queue.join(local('first'));
    queue.join(visitor('2.1.1', 'second'));
    expect(queue.next()?.name).toBe('first');
    expect(queue.next()?.name).toBe('second');
  });

  test('gives its place to another network, and takes none of one as small', () => {
    const { queue } = open('1.1.1', [local('a'), local('b')], 2);
    expect(queue.join(visitor('2.1.1', 'other'))?.name).toBe('b');
    const third = visitor('3.1.1');
    expect(queue.join(third)).toBe(third);
    const again = local('again');
    expect(queue.join(again)).toBe(again);
  });
});

describe('when all places are taken', () => {
  test('of two networks that are equally large, the one that came first gives a place', () => {
    const waiting = ['2.1.1', '3.1.1', '2.1.1', '3.1.1'].map((address, index) =>
      visitor(address, `${index}`),
    );
    const { queue } = open('1.1.1', waiting, 4);
    expect(queue.join(visitor('4.1.1'))?.name).toBe('2');
  });

  test('the latest of the largest network gives its place to a smaller one', () => {
    const waiting = ['2.1.1', '2.1.2', '2.1.2', '3.1.1'].map((address, index) =>
      visitor(address, `${index}`),
    );
    const { queue } = open('1.1.1', waiting, 4);
    const newcomer = visitor('4.1.1');
    expect(queue.join(newcomer)?.name).toBe('2');
    // Now two of the largest network are left: it would have fewer than the one that pushes it out.
    const second = visitor('4.1.1');
    expect(queue.join(second)).toBe(second);
  });

  test('addresses of one network push each other out likewise', () => {
    const { queue } = open(
      '1.1.1',
      numbered((index) => (index < 3 ? '1.1.1' : '1.2.1'), 4),
      4,
    );
    expect(queue.join(visitor('1.3.1', 'new'))?.name).toBe('2');
  });

  test('one without failures gets the place of one with them, where those are more', () => {
    const { queue } = open('1.1.1', [failed('2.1.1', 'a'), failed('3.1.1', 'b')], 2);
    const again = failed('4.1.1');
    expect(queue.join(again)).toBe(again);
    expect(queue.join(visitor('4.1.1'))?.name).toBe('b');
    const more = visitor('4.1.2');
    expect(queue.join(more)).toBe(more);
  });

  test('a flood without failures never pushes out the only one of another network', () => {
    const { queue } = open('1.1.1', [...numbered((index) => `1.1.${index}`, 3), failed('2.1.1')], 4);
    for (let time = 0; time < 10; time += 1)
      expect(queue.join(visitor(`1.1.${time}`))?.networks[0]).toBe('1');
  });

  test('no place is lost, and none given to a network that has more than the one that loses it', () => {
    const address = fc.tuple(fc.nat(3), fc.nat(2), fc.nat(2)).map((parts) => parts.join('.'));
    const visitors = fc.array(fc.tuple(address, fc.boolean()), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(visitors, fc.nat(8), (arrivals, places) => {
        const { queue, all } = open('9.9.9', [], places);
        const waiting = new Set<Named>();
        const count = (one: Named) =>
          [...waiting].filter(({ networks }) => networks[0] === one.networks[0]).length;
        for (const [from, hasFailed] of arrivals) {
          const one = visitor(from, from, hasFailed);
          const pushedOut = queue.join(one);
          if (pushedOut !== undefined && pushedOut !== one) {
            const isOwn = pushedOut.networks[0] === one.networks[0];
            expect(isOwn || count(pushedOut) > count(one)).toBe(true);
            waiting.delete(pushedOut);
          }
          if (pushedOut !== one) waiting.add(one);
          expect(waiting.size).toBeLessThanOrEqual(places);
        }
        expect(waiting.size).toBe(Math.min(places, arrivals.length));
        expect(all().sort()).toEqual([...waiting].map(({ name }) => name).sort());
      }),
    );
  });
});
