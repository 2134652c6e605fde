/** Of the group verdict: see `index.mjs`. */
export const verdict = [
  {
    file: 'src/verdict/decide.ts',
    line: 'return denials === 0 ? ALLOW : verdictOn(denials, { amount, currency, policy });',
    mutated: ['return false ? ALLOW : verdictOn(denials, { amount, currency, policy });'],
    why: 'The verdict on no denials is ALLOW, too: the shortcut saves the literal.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: 'const own = denials === 0 ? ALLOW : verdictOn(denials, read);',
    mutated: ['const own = false ? ALLOW : verdictOn(denials, read);'],
    why: 'The verdict on no denials is ALLOW, too: the shortcut saves a call.',
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
    file: 'src/verdict/policy.ts',
    line: 'return currency === policy.currency ? policy.currency : currencyCode(currency);',
    mutated: ['return false ? policy.currency : currencyCode(currency);'],
    why: 'The currency of a policy is a code, or null: the shortcut saves looking it up.',
  },
  {
    file: 'src/verdict/verdicts.ts',
    line: "if (RULES.length > 16) throw new Error('There are more than 16 rules.');",
    mutated: [
      'if (RULES.length > 16) throw new Error("");',
      "if (false) throw new Error('There are more than 16 rules.');",
      "if (RULES.length >= 16) throw new Error('There are more than 16 rules.');",
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
    line: "const nothingDenied: OwnRule['denies'] = () => false;",
    mutated: ["const nothingDenied: OwnRule['denies'] = () => undefined;"],
    why: 'It is only asked whether it is true.',
  },
  {
    file: 'src/verdict/rule-list.ts',
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
