/** The examples of the contract for each test on one value. */
import { describe, expect, test } from 'vitest';
import { expectAll, said } from './saying.ts';

describe('the test', () => {
  test('in', () => {
    expectAll(
      { in: [1, 'a', true, null] },
      [1, 1.0, 'a', true, null],
      ['1', 'A', false, 0, 'a ', 'null'],
      'in',
    );
    expectAll({ in: ['1'] }, ['1'], [1, '1.0'], 'in');
  });

  test('not_in', () => {
    const failing = [
      'drop',
      'DROP',
      'dRoP',
      ' ok',
      'ok ',
      'ok\n',
      'ＤＲＯＰ',
      'd\u200brop',
      null,
      {},
      1,
      true,
    ];
    expectAll({ not_in: ['Drop', '1', 'true'] }, ['ok', 'drops', '', 2, 1.5, false], failing, 'not_in');
  });

  test('prefix and suffix', () => {
    expectAll({ prefix: ['order-'] }, ['order-', 'order-1'], ['Order-1', 'order-\n', 'order', 1], 'prefix');
    expectAll(
      { suffix: ['.pdf'] },
      ['.pdf', 'a.pdf'],
      ['a.PDF', 'a.pdf\u0000', '\u007f.pdf', 'pdf'],
      'suffix',
    );
  });

  test('min and max', () => {
    const range = { min: '0.1', max: 10 };
    expectAll(range, ['0.1', 0.1, '10', '10.000', 10, 1e1], [], 'max');
    expectAll(range, [], ['10.0000000000000000000000000000000000001', 10.000001, 1e21, '11'], 'max');
    expectAll(
      range,
      [],
      [0, '0.09', -1, '01', '+1', '1e0', '-0', '-0.0', '', '1.', '.5', ' 1', true, null],
      'min',
    );
    expectAll({ min: 0 }, [0.1 + 0.2, '9'.repeat(40)], ['9'.repeat(41), -1e-7], 'min');
    expectAll({ max: 0 }, [0, -1, '-0.5'], ['x', '-0', 1e-7], 'max');
    expectAll({ max: '0.3' }, [0.3], [0.1 + 0.2], 'max');
  });

  test('email_in', () => {
    const list = { email_in: ['ann@example.com', '@example.org'] };
    const local = 'a'.repeat(64);
    const passing = [
      'ann@example.com',
      'ANN@Example.COM',
      'x@example.org',
      `${local}@example.org`,
      "o'x+y=z-@example.org",
    ];
    const failing = [
      ...[
        'bob@example.com',
        'x@sub.example.org',
        `${local}a@example.org`,
        '.a@example.org',
        'a.@example.org',
      ],
      ...[
        'a..b@example.org',
        '-a@example.org',
        '"a"@example.org',
        'a(b)@example.org',
        'a@example.org.',
        '@example.org',
      ],
      ...[
        'Ann <ann@example.com>',
        ' ann@example.com',
        'ann@example.com,eve@evil.example',
        'ann@example.com\n',
      ],
      ...[
        'ann%evil.example@example.org',
        'ann@evil.example@example.org',
        'änn@example.org',
        'ann@exämple.org',
      ],
    ];
    expectAll(list, passing, failing, 'email_in');
  });

  test('path_under', () => {
    const absolute = ['/srv/app', '/srv/app/', '/srv/app/a b/c.txt', '/srv/app/...a', '/srv/app/%zz'];
    const failing = [
      ...[
        '/srv/application',
        '/srv',
        '/SRV/app/x',
        '/srv/app/../x',
        '/srv/app/.',
        '/srv/app/.. /x',
        '/srv/app//x',
      ],
      ...[
        '//srv/app',
        'srv/app',
        '~/srv/app',
        ' /srv/app',
        '/srv/app/x\u00a0',
        '/srv/app/%2e%2e/x',
        '/srv/app\\..\\x',
      ],
      ...[
        '/srv/app/\u0000',
        '/srv/app/\ud800',
        '/srv/app/\uff0e\uff0e/x',
        '/srv/app/\u2025/x',
        '/srv/app/a\uff0fb',
        '',
      ],
      // NFKC turns them into dots as well.
      ...['/srv/app/\ufe30/x', '/srv/app/\ufe19/x', `/srv/app/${'x'.repeat(4_088)}`],
    ];
    expectAll({ path_under: ['/srv/app'] }, absolute, failing, 'path_under');
    expectAll(
      { path_under: ['docs'] },
      ['docs', 'docs/', 'docs/a'],
      ['/docs', './docs', 'docs2', 'Docs'],
      'path_under',
    );
    expectAll({ path_under: ['/'] }, ['/', '/a', '/a/'], ['a', '.', '..', '/..', '//'], 'path_under');
    expectAll({ path_under: ['.'] }, ['a', 'a/', 'a/b'], ['/', '/a', '.', './a', '..', '~a'], 'path_under');
  });

  test('url_under', () => {
    const list = {
      url_under: ['https://example.com/docs', 'https://*.example.org', 'http://localhost:8080'],
    };
    const passing = [
      ...[
        'https://example.com/docs',
        'https://EXAMPLE.com:443/docs/',
        'https://example.com/docs/a%20b;v=1?x=%2e#y',
      ],
      ...['https://a.b.example.org', 'https://a.example.org/a//b/../%2e', 'http://localhost:8080/?q'],
    ];
    const failing = [
      ...[
        'https://example.com',
        'https://example.com/docsx',
        'https://example.com/Docs',
        'http://example.com/docs',
      ],
      ...['https://example.com/docs/../x', 'https://example.com/docs/..;a/x', 'https://example.com/docs//x'],
      ...[
        'https://example.com/docs/%2e%2e/x',
        'https://example.com/docs/%2Fx',
        'https://example.com/docs/%5c',
      ],
      ...[
        'https://example.com/docs/%25',
        'https://example.com/docs/%00',
        'https://example.com/docs/%80',
        'https://example.com/docs/%4',
      ],
      ...['https://example.com:444/docs', 'https://example.com:0443/docs', 'https://example.com:/docs'],
      ...[
        'https://example.com./docs',
        'https://a@example.com/docs',
        'https://[::1]/docs',
        'HTTPS://example.com/docs',
      ],
      ...[
        'https://example.org',
        'https://evilexample.org',
        'https://a.example.org?x',
        'https://a.example.org\\@evil',
      ],
      ...[
        'http://localhost',
        'https:/example.com/docs',
        '//example.com/docs',
        ' https://example.com/docs',
        'https://a_b.example.org',
      ],
    ];
    expectAll(list, passing, failing, 'url_under');
  });

  test('max_items, only, present and absent', () => {
    expectAll({ max_items: 1 }, [[], [1], [[1, 2]]], [[1, 2], 'a,b', { length: 0 }, null, 1], 'max_items');
    expectAll(
      { only: ['a', 'b'] },
      [{}, { a: 1 }, { a: 1, b: null }],
      [{ c: 1 }, { A: 1 }, [], 'a', null],
      'only',
    );
    expectAll({ present: true }, [0, false, ' ', [null], { a: null }], [null, '', [], {}], 'required');
    expectAll({ absent: true }, [], [null, '', [], {}, 0, false], 'absent');
    expect(said({ at: '/x', absent: true }, {})).toBe('ALLOW');
    expect(said({ at: '/x/y', absent: true }, { x: 'text' })).toBe('ALLOW');
    expect(said({ at: '', only: [] }, {})).toBe('ALLOW');
    expect(said({ at: '', only: ['a'] }, undefined)).toBe('required');
    expect(said({ at: '', only: ['amount'] }, { amount: 1, currency: 'EUR' })).toBe('only');
  });
});
