/** Of the group verdict, the evaluation outside our own rules: see `index.mjs`. */
export const verdictFurther = [
  {
    file: 'src/verdict/ancestors.ts',
    line: 'export function plainReasons(value: unknown, facts: Said, ownQuestion: Asked): readonly Reason[] | undefined {',
    mutated: [
      'export function plainReasons(value: unknown, facts: Said, ownQuestion: Asked): readonly Reason[] | undefined {}',
    ],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (!Array.isArray(value) || NOTHING.ancestors !== undefined) return undefined;',
    mutated: ['if (true) return undefined;'],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'for (let level = 0; parent !== undefined; level += 1) {',
    mutated: ['for (let level = 0; parent !== undefined; level -= 1) {'],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (level === MAX_ANCESTORS || level >= value.length) return undefined;',
    mutated: [
      'if (true) return undefined;',
      'if (level !== MAX_ANCESTORS || level >= value.length) return undefined;',
      'if (level === MAX_ANCESTORS || false) return undefined;',
      'if (level === MAX_ANCESTORS || level > value.length) return undefined;',
      'if (level === MAX_ANCESTORS || level < value.length) return undefined;',
    ],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (agent_id !== parent || policyAbove === undefined || (policyAbove.asks & ASKS.more) !== 0)',
    mutated: ['if (true)'],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'const isSame = policyAbove.currency === ownQuestion.policy.currency;',
    mutated: ['const isSame = false;'],
    why: 'Passports of one currency read the same: the shortcut saves reading again.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (denials !== 0) {',
    mutated: ['if (true) {'],
    why: 'Without denials nothing is added: the shortcut saves the list.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'const passports = value === undefined || value === null ? [] : elementsOf(value);',
    mutated: [
      'const passports = value === undefined || value === null ? ["Stryker was here"] : elementsOf(value);',
    ],
    why: 'A text is no passport of the parent, either.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'const isMissing = passport === undefined || passport === null || ancestors.length === MAX_ANCESTORS;',
    mutated: [
      'const isMissing = false || ancestors.length === MAX_ANCESTORS;',
      'const isMissing = passport === undefined && passport === null || ancestors.length === MAX_ANCESTORS;',
      'const isMissing = false || passport === null || ancestors.length === MAX_ANCESTORS;',
      'const isMissing = passport === undefined || false || ancestors.length === MAX_ANCESTORS;',
    ],
    why: 'What is no passport has no id, either: the conditions are for the compiler.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (preparation?.agent_id !== next) return { ancestors: [], missing: next };',
    mutated: [
      'if (preparation?.agent_id !== next) return { ancestors: ["Stryker was here"], missing: next };',
    ],
    why: 'Where one is missing, the others are not evaluated.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (policy === undefined) return [];',
    mutated: ['if (policy === undefined) return ["Stryker was here"];', 'if (false) return [];'],
    why: 'A passport that cannot be read denies before: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/ancestors.ts',
    line: 'if (policy?.approval === undefined) return false;',
    mutated: ['if (policy.approval === undefined) return false;'],
    why: 'A passport that cannot be read denies before: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/approval.ts',
    line: 'above !== undefined && amount !== undefined && amount !== null && compareAmounts(amount, above) > 0;',
    mutated: ['true && amount !== undefined && amount !== null && compareAmounts(amount, above) > 0;'],
    why: 'No amount is more than undefined: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'for (const budget of budgets ?? []) {',
    mutated: ['for (const budget of budgets ?? ["Stryker was here"]) {'],
    why: 'Only passports with budgets are asked: the default is for the compiler.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'requires: limit === undefined ? [] : (named ?? []),',
    mutated: [
      'requires: limit === undefined ? ["Stryker was here"] : (named ?? []),',
      'requires: limit === undefined ? [] : (named ?? ["Stryker was here"]),',
    ],
    why: 'The text is no action, so that it requires an amount of no intent.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'demand(currency !== null && decimals !== undefined && (actionNames !== undefined || hasMonetary));',
    mutated: ['demand(currency !== null && true && (actionNames !== undefined || hasMonetary));'],
    why: 'A passport with a currency has its decimals: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'const max = amount === null ? undefined : toSafeUnits(amount, decimals);',
    mutated: ['const max = false ? undefined : toSafeUnits(amount, decimals);'],
    why: 'What is no amount has no units, either: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'else if (amount !== undefined && amount !== null && amount !== 0) {',
    mutated: ['else if (amount !== undefined && true && amount !== 0) {'],
    why: 'An invalid amount denies before budgets are asked: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/budgets.ts',
    line: 'if (by !== undefined && by <= budget.max - spentCount) continue;',
    mutated: ['if (true && by <= budget.max - spentCount) continue;'],
    why: 'Undefined is not less than any number: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/proof.ts',
    line: "return before('proof_required', { proof: NAMES[requiredCount] ?? '' });",
    mutated: [`return before('proof_required', { proof: NAMES[requiredCount] ?? "Stryker was here!" });`],
    why: 'Every requirement has a name: the default is for the compiler.',
  },
  {
    file: 'src/verdict/takings.ts',
    line: "const currency = readCurrency(parameters?.['currency'], policy);",
    mutated: ['const currency = readCurrency(parameters?.[""], policy);'],
    why: 'It counts for passports without a currency alone, and these compare no amounts here.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: 'if (rules === defaultRules && asks === ASKS.ancestors && proof === undefined && approval === undefined) {',
    mutated: [
      'if (false) {',
      'if (rules === defaultRules && asks === ASKS.ancestors && proof === undefined && approval === undefined) {}',
    ],
    why: 'Without the short way the chain is evaluated in full, with the same result.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: 'if (reasonsAbove !== undefined)',
    mutated: ['if (false)'],
    why: 'Without the short way the result is made anew, and is the same.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: 'return reasonsAbove.length === 0 ? ownVerdict : verdictOf([...ownVerdict.reasons, ...reasonsAbove]);',
    mutated: ['return false ? ownVerdict : verdictOf([...ownVerdict.reasons, ...reasonsAbove]);'],
    why: 'Without the shared verdict the result is made anew, and is the same.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: "const ancestors = [{ agent_id: preparation.agent_id ?? '', policy }, ...chain.ancestors];",
    mutated: [
      'const ancestors = [{ agent_id: preparation.agent_id ?? "Stryker was here!", policy }, ...chain.ancestors];',
    ],
    why: 'A passport that is evaluated has an id: the default is for the compiler.',
  },
  {
    file: 'src/verdict/decide.ts',
    line: 'const holders = ancestors.filter((ancestor) => ancestor.policy?.budgets !== undefined);',
    mutated: ['const holders = ancestors.filter((ancestor) => ancestor.policy.budgets !== undefined);'],
    why: 'A passport that cannot be read denies before: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/policy.ts',
    line: 'return requiredNames.length === 0 ? monetary : [...new Set([...monetary, ...requiredNames])];',
    mutated: ['return false ? monetary : [...new Set([...monetary, ...requiredNames])];'],
    why: 'The shortcut saves a copy of the list.',
  },
];
