/**
 * The mutants that no test can kill, and why: each does the same as the code. `line` is the line as it stands, `mutated`
 * what the mutants make of it. `npm run test:mutation` fails for a survivor that is missing here, and for an entry that
 * does not survive.
 */
export const survivors = [
  {
    file: 'src/verdict/decide.ts',
    line: 'if (rules === defaultRules) return denials === 0 ? ALLOW : verdictOn(denials, { amount, currency, policy });',
    mutated: [
      'if (rules === defaultRules) return false ? ALLOW : verdictOn(denials, { amount, currency, policy });',
    ],
    why: 'The verdict on no denials is ALLOW, too: the shortcut saves the literal.',
  },
  {
    file: 'src/verdict/policy.ts',
    line: "status === 'active' && end === null && start === null",
    mutated: ['false', `status === "" && end === null && start === null`],
    why: 'Times that never deny: the shortcut saves room in every prepared passport.',
  },
  {
    file: 'src/verdict/prepare.ts',
    line: '} catch {',
    mutated: ['} catch {}'],
    why: 'Undefined is as false as false.',
  },
  {
    file: 'src/verdict/read.ts',
    line: '} catch {',
    mutated: ['} catch {}'],
    why: 'A function that ends answers undefined.',
  },
  {
    file: 'src/verdict/read.ts',
    line: 'const value: unknown = Object.getOwnPropertyDescriptor(record, name)?.value;',
    mutated: ['const value: unknown = Object.getOwnPropertyDescriptor(record, name).value;'],
    why: 'Every caller takes a throw for undefined.',
  },
  {
    file: 'src/verdict/read.ts',
    line: 'const PLAIN = attempt(() => NOTHING.__proto__);',
    mutated: ['const PLAIN = attempt(() => undefined);'],
    why: 'Without the shortcut every record is looked at in full, with the same result.',
  },
  {
    file: 'src/verdict/read.ts',
    line: 'if (!PLAIN || record.__proto__ !== PLAIN) demandPlain(record);',
    mutated: [
      'if (true) demandPlain(record);',
      'if (PLAIN || record.__proto__ !== PLAIN) demandPlain(record);',
    ],
    why: 'Without the shortcut every record is looked at in full, with the same result.',
  },
  {
    file: 'src/verdict/facts.ts',
    line: 'return currency === policy.currency ? policy.currency : currencyCode(currency);',
    mutated: ['return false ? policy.currency : currencyCode(currency);'],
    why: 'The currency of a policy is a code, or null: the shortcut saves looking it up.',
  },
  {
    file: 'src/http/authenticate.ts',
    line: "const header = headerOf(rawHeaders, 'authorization') ?? '';",
    mutated: [`const header = headerOf(rawHeaders, 'authorization') ?? "Stryker was here!";`],
    why: 'Both texts are no bearer token.',
  },
  {
    file: 'src/http/json-number.ts',
    line: 'return places === 0 ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);',
    mutated: ['return false ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);'],
    why: 'By one: the shortcut leaves a whole number the small integer that it is to V8.',
  },
  {
    file: 'src/service/storage/caches.ts',
    line: 'if (notice === undefined) for (const name of WATCHED_COLLECTIONS) caches[name]?.forgetAll();',
    mutated: ['if (notice === undefined) for (const name of WATCHED_COLLECTIONS) caches[name].forgetAll();'],
    why: 'Every watched collection has a cache: the condition is for the compiler.',
  },
  {
    file: 'src/service/storage/caches.ts',
    line: 'caches[collection]?.note(id, written ? version : undefined);',
    mutated: ['caches[collection].note(id, written ? version : undefined);'],
    why: 'Notices are of watched collections alone: the condition is for the compiler.',
  },
  {
    file: 'src/service/storage/record-cache.ts',
    line: 'if (known !== undefined && known.value === value && known.version === version) {',
    mutated: [
      'if (false) {',
      'if (known !== undefined && known.value === value && true) {',
      'if (known !== undefined && known.value === value && known.version !== version) {',
      'if (known !== undefined && known.value === value && known.version === version) {}',
    ],
    why: 'A new entry says the same as the one renewed, which saves making it; no value has two versions.',
  },
  {
    file: 'src/service/storage/record-cache.ts',
    line: 'return spentMs < 1 ? answer : within(deadlineMs - spentMs, () => answer);',
    mutated: [
      'return false ? answer : within(deadlineMs - spentMs, () => answer);',
      'return spentMs <= 1 ? answer : within(deadlineMs - spentMs, () => answer);',
    ],
    why: 'The read has a deadline of its own, which ends at the same millisecond or the next one.',
  },
  {
    file: 'src/base/instant.ts',
    line: "const [, seconds, fraction = '', offset = ''] = RFC_3339.exec(text.toUpperCase()) ?? [];",
    mutated: [
      `const [, seconds, fraction = '', offset = "Stryker was here!"] = RFC_3339.exec(text.toUpperCase()) ?? [];`,
      `const [, seconds, fraction = '', offset = ''] = RFC_3339.exec(text.toUpperCase()) ?? ["Stryker was here"];`,
    ],
    why: 'Text that does not match has no seconds, which is no date whatever the rest is.',
  },
  {
    file: 'src/verdict/verdicts.ts',
    line: "if (RULES.length > 16) throw new Error('There are more rules than are asked.');",
    mutated: [
      'if (RULES.length > 16) throw new Error("");',
      "if (false) throw new Error('There are more rules than are asked.');",
      "if (RULES.length >= 16) throw new Error('There are more rules than are asked.');",
    ],
    why: 'There are fewer rules: it is for who adds some.',
  },
  {
    file: 'src/verdict/verdicts.ts',
    line: 'if (denials === 0) return ALLOW;',
    mutated: ['if (false) return ALLOW;'],
    why: 'The verdict without reasons is an ALLOW, too.',
  },
  {
    file: 'src/verdict/verdicts.ts',
    line: "const none: OwnRule['denies'] = () => false;",
    mutated: ["const none: OwnRule['denies'] = () => undefined;"],
    why: 'It is only asked whether it is true.',
  },
  {
    file: 'src/verdict/default-rules.ts',
    line: 'demand(policy !== undefined);',
    mutated: ['demand(true);'],
    why: 'The next line throws as well.',
  },
  {
    file: 'src/verdict/policy.ts',
    line: 'const ANY_TIME: Times = {',
    mutated: ['const ANY_TIME: Times = {};'],
    why: 'No instant is before or after undefined: nothing denies either way.',
  },
  {
    file: 'src/verdict/policy.ts',
    line: 'spelled: { revoked_at: null, suspended_until: null, expires_at: null, not_before: null },',
    mutated: ['spelled: {},'],
    why: 'Read only by rules that deny, and these times never do.',
  },
  {
    file: 'src/verdict/policy.ts',
    line: 'verdicts: [],',
    mutated: ['verdicts: ["Stryker was here"],'],
    why: 'The verdict on no denials is not looked up, and these times never deny.',
  },
];
