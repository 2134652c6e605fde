/** Of the group compare, the cases: see `index.mjs`. */
export const compare = [
  {
    file: 'src/verdict/compare/actions.ts',
    line: 'if (word.length > room) return;',
    mutated: ['if (false) return;', 'if (word.length >= room) return;'],
    why: 'More words are tried than a list has entries: none of them fills the room.',
  },
  {
    file: 'src/verdict/compare/actions.ts',
    line: 'if (!cells.has(named)) cells.set(named, action);',
    mutated: ['if (true) cells.set(named, action);'],
    why: 'Each action of a cell shows it as well; the first one is kept.',
  },
  {
    file: 'src/verdict/compare/actions.ts',
    line: 'if (patterns.size === 0) return named;',
    mutated: ['if (false) return named;'],
    why: 'Without patterns none is found below: the shortcut saves the loop.',
  },
  {
    file: 'src/verdict/compare/actions.ts',
    line: 'for (let end = 1; end < action.length; end += 1) {',
    mutated: ['for (let end = 1; end <= action.length; end += 1) {'],
    why: 'No pattern ends where the action does: it would continue nothing.',
  },
  {
    file: 'src/verdict/compare/actions.ts',
    line: "if (last === '.' || last === ':') named |= patterns.get(action.slice(0, end)) ?? 0;",
    mutated: ['if (true) named |= patterns.get(action.slice(0, end)) ?? 0;'],
    why: 'No pattern ends elsewhere: the condition saves looking for one.',
  },
  {
    file: 'src/verdict/compare/actions.ts',
    line: 'if (room < SHORT) return;',
    mutated: ['if (false) return;'],
    why: 'An action that is too long is no action.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'if (first.denials !== 0) return;',
    mutated: ['if (false) return;'],
    why: 'What the allowing passport denies is passed over once more where actions are added.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'const key = JSON.stringify([amount === undefined, first, second]);',
    mutated: ['const key = JSON.stringify([amount !== undefined, first, second]);'],
    why: 'Both tell a payment without an amount from one with it.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'const decimals = currency === undefined ? MICRO : (currencyDecimals(currency) ?? MICRO);',
    mutated: ['const decimals = false ? MICRO : (currencyDecimals(currency) ?? MICRO);'],
    why: 'Without a currency none is found, and the decimals are the same.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'border === undefined ? [] : [(toUnits(border, MICRO) / unit + 1n) * unit],',
    mutated: ['border === undefined ? ["Stryker was here"] : [(toUnits(border, MICRO) / unit + 1n) * unit],'],
    why: 'A text is compared with no amount.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'const { approval, budgets = [] } = policy;',
    mutated: ['const { approval, budgets = ["Stryker was here"] } = policy;'],
    why: 'A budget that cannot be read takes nothing.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: "action: '',",
    mutated: ['action: "Stryker was here!",'],
    why: 'Only the bits of money count: no rule of money reads the action.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: 'isTargetNamed: false,',
    mutated: ['isTargetNamed: true,'],
    why: 'Only the bits of money count: no rule of money reads the target.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: "approval !== undefined && approvalNeed({ ...approval, actions: undefined }, '', amount) !== undefined,",
    mutated: [
      'approval !== undefined && approvalNeed({ ...approval, actions: undefined }, "Stryker was here!", amount) !== undefined,',
      "true && approvalNeed({ ...approval, actions: undefined }, '', amount) !== undefined,",
    ],
    why: 'Without a rule of approval nothing is above it, and it is asked as if it named every action.',
  },
  {
    file: 'src/verdict/compare/amounts.ts',
    line: "const [taking] = takingsOf('', [{ ...budget, actions: undefined }], '', amount);",
    mutated: [
      'const [taking] = takingsOf("Stryker was here!", [{ ...budget, actions: undefined }], \'\', amount);',
      "const [taking] = takingsOf('', [{}], '', amount);",
      'const [taking] = takingsOf(\'\', [{ ...budget, actions: undefined }], "Stryker was here!", amount);',
    ],
    why: 'The budget is asked as if it counted every action.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'if (has(named[0], LISTS.denied) || !has(named[0], LISTS.allowed)) continue;',
    mutated: [
      'if (false) continue;',
      'if (has(named[0], LISTS.denied) && !has(named[0], LISTS.allowed)) continue;',
    ],
    why: 'The loop over payments says the same of each of them.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'if (!fits(denying, named[1], payment.denying)) continue;',
    mutated: ['if (false) continue;'],
    why: 'Of what does not fit `decide` names the budget first, as of the case that is kept.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'const isCounted = policy.budgets?.[place]?.actions === undefined || has(named, LISTS.budgets + place);',
    mutated: [
      'const isCounted = policy.budgets?.[place].actions === undefined || has(named, LISTS.budgets + place);',
      'const isCounted = policy.budgets[place]?.actions === undefined || has(named, LISTS.budgets + place);',
    ],
    why: 'A place is that of a budget: the conditions are for the compiler.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'return by !== undefined && by <= max;',
    mutated: ['return true && by <= max;'],
    why: 'No comparison with undefined holds.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'const others = allowing.policy.budgets ?? [];',
    mutated: ['const others = allowing.policy.budgets ?? ["Stryker was here"];'],
    why: 'No counter is that of a text.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'for (const [place, budget] of (denying.policy.budgets ?? []).entries()) {',
    mutated: ['for (const [place, budget] of (denying.policy.budgets ?? ["Stryker was here"]).entries()) {'],
    why: 'A text has no limit that could be exceeded.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'const spent = by === undefined ? 0 : Math.max(0, budget.max - by + 1);',
    mutated: ['const spent = false ? 0 : Math.max(0, budget.max - by + 1);'],
    why: 'The least amount comes first, and no counter is too small for it.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'same < 0 ? 0 : (takenFrom(allowing, same, named[0], payment.allowing) ?? Number.POSITIVE_INFINITY);',
    mutated: [
      'false ? 0 : (takenFrom(allowing, same, named[0], payment.allowing) ?? Number.POSITIVE_INFINITY);',
    ],
    why: 'Without the counter nothing is taken from it, and what is left has no end.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'const left = same < 0 || taken === 0 ? Number.POSITIVE_INFINITY : (others[same]?.max ?? 0) - spent;',
    mutated: [
      'const left = same < 0 && taken === 0 ? Number.POSITIVE_INFINITY : (others[same]?.max ?? 0) - spent;',
      'const left = false || taken === 0 ? Number.POSITIVE_INFINITY : (others[same]?.max ?? 0) - spent;',
      'const left = same < 0 || false ? Number.POSITIVE_INFINITY : (others[same]?.max ?? 0) - spent;',
      'const left = same < 0 || taken === 0 ? Number.POSITIVE_INFINITY : (others[same].max ?? 0) - spent;',
    ],
    why: 'Without the counter, or where nothing is taken, what is left is enough in any case.',
  },
  {
    file: 'src/verdict/compare/cases.ts',
    line: 'if (taken <= left) return { ...shown, place, spent: taken === 0 ? budget.max : spent };',
    mutated: [
      'if (taken <= left) return { ...shown, place, spent: true ? budget.max : spent };',
      'if (taken <= left) return { ...shown, place, spent: false ? budget.max : spent };',
      'if (taken <= left) return { ...shown, place, spent: taken !== 0 ? budget.max : spent };',
    ],
    why: 'The least amount takes one unit: what is spent is then all that the budget has.',
  },
];
