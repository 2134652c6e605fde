/** That no JSON confusion is an ALLOW, in process and over HTTP, and that what must pass passes. */
import { describe, expect, test } from 'vitest';
import { nodeListener } from '../../../src/http/index.ts';
import { decide, prepare, type Reason } from '../../../src/verdict/index.ts';
import { makeKey, openApi, signIn } from '../../support/api.ts';
import { AT } from '../../support/question.ts';
import { listen } from '../../support/servers.ts';
import { type Opened, openLocalService, openService } from '../../support/service.ts';
import { intentOf, isOfCondition, passportWith } from './asking.ts';
import { CONFUSIONS, type Confusion } from './confusions.ts';
import { CARRIED, SLY, UNCARRIED } from './odd-values.ts';
import { type Condition, conditionReasons } from './reference.ts';

const ACTION = 'email.send';
const READ = CONFUSIONS.filter(({ expected }) => expected !== 'refused');
const PARENT = 'did:web:shop.example.com:agents:parent';

/** The reasons of conditions, without their sentence. */
function toldOf(reasons: readonly Reason[]): readonly object[] {
  return reasons.filter(isOfCondition).map(({ message: _, ...reason }) => reason);
}

/** What differs from the table: the name, what was said, and what must be said. */
function differences(said: (confusion: Confusion) => readonly object[], among = READ): readonly unknown[] {
  return among.flatMap((confusion) => {
    const expected = confusion.expected === 'ALLOW' ? [] : confusion.expected;
    const told = said(confusion);
    return isSame(told, expected) ? [] : [[confusion.name, told, expected]];
  });
}

function isSame(told: unknown, expected: unknown): boolean {
  try {
    expect(told).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

describe('the table', () => {
  test('has at least 220 confusions and 60 intents that pass, each with its name', () => {
    const passing = CONFUSIONS.filter(({ expected }) => expected === 'ALLOW');
    const names = CONFUSIONS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(CONFUSIONS.length - passing.length).toBeGreaterThanOrEqual(220);
    expect(passing.length).toBeGreaterThanOrEqual(60);
  });

  test('says what the second reading says', () => {
    const said = ({ conditions, parameters }: Confusion) =>
      conditionReasons(conditions, ACTION, parameters());
    expect(differences(said)).toEqual([]);
  });
});

describe('decide', () => {
  const asked = ({ conditions, parameters }: Confusion, isPrepared: boolean) => {
    const passport = passportWith(conditions);
    const intent = intentOf(ACTION, parameters());
    return decide({ passport: isPrepared ? prepare(passport) : passport, intent, at: AT });
  };

  test('denies every confusion with the reasons of the table, and allows the rest', () => {
    for (const isPrepared of [false, true]) {
      expect(differences((one) => toldOf(asked(one, isPrepared).reasons))).toEqual([]);
      const allowed = READ.filter((one) => asked(one, isPrepared).verdict === 'ALLOW');
      expect(allowed).toEqual(READ.filter(({ expected }) => expected === 'ALLOW'));
    }
  });

  test('denies the same where a parent has the condition', () => {
    const said = ({ conditions, parameters }: Confusion) => {
      const passport = passportWith([], { parent_agent_id: PARENT });
      const parent = { ...passportWith(conditions), agent_id: PARENT };
      return decide({ passport, ancestors: [parent], intent: intentOf(ACTION, parameters()), at: AT });
    };
    const above = READ.map(({ expected, ...one }): Confusion => {
      if (typeof expected === 'string') return { ...one, expected };
      return {
        ...one,
        expected: expected.map(({ code, ...facts }) => {
          const reason = { code: 'parent_denied', parent: PARENT, reason: code, ...facts };
          return reason as never;
        }),
      };
    });
    expect(differences((one) => toldOf(said(one).reasons), above)).toEqual([]);
    const allowed = READ.filter((one) => said(one).verdict === 'ALLOW');
    expect(allowed).toEqual(READ.filter(({ expected }) => expected === 'ALLOW'));
  });

  test('asks no condition of another action', () => {
    for (const { parameters } of READ) {
      const conditions: Condition[] = [{ actions: ['other'], at: '/to', in: ['never'] }];
      const intent = intentOf(ACTION, parameters());
      const without = decide({ passport: passportWith([]), intent, at: AT });
      expect(decide({ passport: passportWith(conditions), intent, at: AT })).toEqual(without);
    }
  });
});

describe('a value that is read in another way than it is shown', () => {
  const TO: Condition = { at: '/to', in: ['ann'] };

  test.each(Object.keys(SLY))('%s is never allowed in the place of a value', (name) => {
    for (const value of ['ann', ['ann']]) {
      const intent = intentOf(ACTION, { to: SLY[name]?.(value) });
      expect(decide({ passport: passportWith([TO]), intent, at: AT }).verdict).toBe('DENY');
    }
  });

  test.each(['getter', 'hidden member', 'member by symbol', 'own toJSON'])(
    '%s is never allowed beside the named members',
    (name) => {
      const intent = intentOf(ACTION, SLY[name]?.({ to: 'ann' }));
      const { verdict } = decide({ passport: passportWith([{ at: '', only: ['to'] }, TO]), intent, at: AT });
      expect(verdict).toBe('DENY');
    },
  );

  test.each(Object.keys(UNCARRIED))('%s is never allowed in the place of the parameters', (name) => {
    const intent = intentOf(ACTION, { to: 'ann' });
    const odd = { ...intent, parameters: UNCARRIED[name]?.({ to: 'ann' }) } as never;
    const conditions: Condition[] = [TO, { at: '', only: ['to'] }];
    expect(decide({ passport: passportWith(conditions), intent: odd, at: AT }).verdict).toBe('DENY');
  });

  test.each(Object.keys(CARRIED))('%s is read as the data that it is', (name) => {
    const parametersOf = (value: unknown) => CARRIED[name]?.({ mail: CARRIED[name]?.({ to: value }) });
    const passport = passportWith([{ at: '/mail/to', in: ['ann'] }]);
    const ask = (value: unknown) =>
      decide({ passport, intent: intentOf(ACTION, parametersOf(value)), at: AT });
    expect(ask('ann').verdict).toBe('ALLOW');
    expect(toldOf(ask('eve').reasons)).toEqual([
      { code: 'parameter_not_allowed', at: '/mail/to', test: 'in' },
    ]);
  });

  test('a member of every object there is is never read', () => {
    try {
      Object.defineProperty(Object.prototype, 'to', { value: 'ann', configurable: true });
      const { verdict } = decide({
        passport: passportWith([TO]),
        intent: intentOf(ACTION, { x: 1 }),
        at: AT,
      });
      expect(verdict).toBe('DENY');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'to');
    }
  });
});

/** A passport for each list of conditions; the id of its agent. */
async function issueAll(
  { service }: Opened,
  account_id: string,
): Promise<(conditions: readonly Condition[]) => string> {
  const ids = new Map<string, string>();
  for (const { conditions } of CONFUSIONS) {
    const key = JSON.stringify(conditions);
    if (ids.has(key)) continue;
    const { agent_id: _, account_id: __, ...fields } = passportWith(conditions);
    const { domain, allowed_actions, monetary_limit_per_txn } = fields;
    const input = {
      domain,
      agent_name: `agent-${ids.size}`,
      allowed_actions,
      monetary_limit_per_txn,
      conditions,
    };
    ids.set(key, (await service.passports.create(input as never, { account_id })).agent_id);
  }
  return (conditions) => ids.get(JSON.stringify(conditions)) ?? '';
}

describe('the service', () => {
  test('denies every confusion in process, or refuses the intent', async () => {
    const opened = openLocalService();
    const agentOf = await issueAll(opened, 'acc_local');
    const said = new Map<Confusion, string>();
    for (const one of READ) {
      const intent = intentOf(ACTION, one.parameters(), agentOf(one.conditions));
      try {
        const { verdict, reasons } = await opened.service.verify(intent);
        said.set(one, verdict === 'ALLOW' ? 'ALLOW' : JSON.stringify(toldOf(reasons)));
      } catch (error) {
        said.set(one, String(Object(error).code));
      }
    }
    const unlike = READ.flatMap((one) => {
      const expected = one.expected === 'ALLOW' ? 'ALLOW' : JSON.stringify(one.expected);
      const may =
        one.text === undefined || !isObjectText(one.text) ? [expected, 'invalid_request'] : [expected];
      return may.includes(said.get(one) ?? '') ? [] : [[one.name, said.get(one), expected]];
    });
    expect(unlike).toEqual([]);
  });

  test('denies every confusion over HTTP, or refuses the body', async () => {
    const opened = openService();
    const api = openApi(opened);
    const { token, account_id } = await signIn(opened, api);
    const { key } = await makeKey(api, token);
    const agentOf = await issueAll(opened, account_id);
    const origin = await listen(nodeListener(opened.service));
    const sent = CONFUSIONS.filter(
      ({ text, parameters }) => text !== undefined || parameters() === undefined,
    );
    const unlike: unknown[] = [];
    for (const { name, conditions, text, expected } of sent) {
      const intent = JSON.stringify(intentOf(ACTION, undefined, agentOf(conditions)));
      const body = text === undefined ? intent : `${intent.slice(0, -1)},"parameters":${text}}`;
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const response = await fetch(`${origin}/api/verify`, { method: 'POST', headers, body });
      const answer = (await response.json()) as {
        verdict?: string;
        reasons?: readonly Reason[];
        code?: string;
      };
      const told =
        response.status === 200
          ? answer.verdict === 'ALLOW'
            ? 'ALLOW'
            : toldOf(answer.reasons ?? [])
          : `${response.status} ${answer.code}`;
      const isRight =
        expected === 'refused'
          ? told === '400 invalid_json'
          : isSame(told, expected) || (!isObjectText(text ?? '{}') && told === '400 invalid_request');
      if (!isRight) unlike.push([name, told, expected]);
    }
    expect(sent.length).toBeGreaterThan(500);
    expect(unlike).toEqual([]);
  });
});

function isObjectText(text: string): boolean {
  return text.startsWith('{');
}
