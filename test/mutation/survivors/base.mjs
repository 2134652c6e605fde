/** Of the group base: see `index.mjs`. */
export const base = [
  {
    file: 'src/base/values/target.ts',
    line: "const [, method, host = ''] = did.split(':', 3);",
    mutated: [`const [, method, host = "Stryker was here!"] = did.split(':', 3);`],
    why: 'A DID has three parts: the default is for the compiler.',
  },
  {
    file: 'src/base/values/target.ts',
    line: 'if (patterns.length === 0 || !isDid(did)) return false;',
    mutated: ['if (false || !isDid(did)) return false;'],
    why: 'Without patterns none fits: the shortcut saves looking at the text.',
  },
  {
    file: 'src/base/values/agent-id.ts',
    line: "const [, domain = '', agent_name = ''] = AGENT_ID.exec(text) ?? [];",
    mutated: [
      `const [, domain = "Stryker was here!", agent_name = ''] = AGENT_ID.exec(text) ?? [];`,
      `const [, domain = '', agent_name = "Stryker was here!"] = AGENT_ID.exec(text) ?? [];`,
      `const [, domain = '', agent_name = ''] = AGENT_ID.exec(text) ?? ["Stryker was here"];`,
    ],
    why: 'Text that does not match has no domain, or one that is as invalid.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: "let text = '';",
    mutated: ['let text = "Stryker was here!";'],
    why: 'It is written before it is read: no instant equals NaN.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: String.raw`const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;`,
    mutated: [
      String.raw`const RFC_3339 = /\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;`,
    ],
    why: 'Digits are read from the beginning of the text: with anything before it, some of them are none.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: "let last = '';",
    mutated: ['let last = "Stryker was here!";'],
    why: 'No text that is an instant equals either, and the answer to any other is undefined.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'if (text !== last) {',
    mutated: ['if (true) {'],
    why: 'The last answer saves reading the same again.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: "let beginning = '';",
    mutated: ['let beginning = "Stryker was here!";'],
    why: 'It is written before it is read: no instant is in the second NaN.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'if (epochMs === last) return text;',
    mutated: ['if (false) return text;'],
    why: 'The last answer saves spelling the same again.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'const thousandths = epochMs - second;',
    mutated: ['const thousandths = epochMs + second;'],
    why: 'Out of its range, as far from 1970 as tests and clocks are, the instant is spelled as a whole.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'if (thousandths >= 0 && thousandths < 1_000 && Number.isInteger(thousandths)) {',
    mutated: [
      'if (false) {',
      'if (thousandths > 0 && thousandths < 1_000 && Number.isInteger(thousandths)) {',
    ],
    why: 'To spell an instant as a whole gives the same, more slowly.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'second = Number.isInteger(epochMs) ? Math.floor(epochMs / 1_000) * 1_000 : Number.NaN;',
    mutated: [
      'second = Number.isInteger(epochMs) ? Math.floor(epochMs / 1_000) / 1_000 : Number.NaN;',
      'second = Number.isInteger(epochMs) ? Math.floor(epochMs * 1_000) * 1_000 : Number.NaN;',
    ],
    why: 'No instant is in another second that is far away: each is spelled as a whole, more slowly.',
  },
  {
    file: 'src/base/values/instant.ts',
    line: 'return month === 2 ? 28 + Number(isLeap) : 30 + ((month + (month >> 3)) & 1);',
    mutated: ['return month === 2 ? 28 + Number(isLeap) : 30 + ((month - (month >> 3)) & 1);'],
    why: 'A sum and a difference are odd together.',
  },
  {
    file: 'src/base/values/target.ts',
    line: "const [, method, host = ''] = entry.split(':', 3);",
    mutated: [`const [, method, host = "Stryker was here!"] = entry.split(':', 3);`],
    why: 'A DID has three parts: the default is for the compiler.',
  },
  {
    file: 'src/base/values/target.ts',
    line: "return method === 'web' ? host : '';",
    mutated: [`return method === 'web' ? host : "Stryker was here!";`],
    why: 'Neither is the host of a pattern, and neither is a host.',
  },
  {
    file: 'src/base/values/target.ts',
    line: "return (host.startsWith('*') ? host.slice(1) : host).split('.').reverse().join('.');",
    mutated: [`return (host.startsWith('*') ? host.slice(1) : host).split("").reverse().join('.');`],
    why: 'Reversed by letters, a suffix becomes a prefix as well as by labels.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'const cents = Math.round((amount as number) * 100);',
    mutated: ['const cents = Math.round((amount as number) / 100);'],
    why: 'Then only 0 is read as cents, and the others are spelled by String, which says the same.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'return cents < MAX_CENTS && cents / 100 === amount',
    mutated: [
      'return false',
      'return cents <= MAX_CENTS && cents / 100 === amount',
      'return cents < MAX_CENTS && cents * 100 === amount',
    ],
    why: 'The shortcut saves String, which says the same.',
  },
  {
    file: 'src/base/values/money.ts',
    line: "return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));",
    mutated: [
      'return false ? a - b : compareTexts(String(a), String(b));',
      `return typeof a === "" && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));`,
      `return typeof a === 'number' && typeof b === "" ? a - b : compareTexts(String(a), String(b));`,
    ],
    why: 'Two numbers compare as their texts do: the shortcut saves spelling them.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'if (value * scale < MAX) return Math.round(value * scale) / scale === value ? value : null;',
    mutated: [
      'if (false) return Math.round(value * scale) / scale === value ? value : null;',
      'if (value * scale <= MAX) return Math.round(value * scale) / scale === value ? value : null;',
    ],
    why: 'The text of the number says the same: the shortcut saves spelling it.',
  },
  {
    file: 'src/base/values/money.ts',
    line: "const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];",
    mutated: [
      `const [, whole = "Stryker was here!", fraction = ''] = DECIMAL.exec(text) ?? [];`,
      `const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? ["Stryker was here"];`,
    ],
    why: 'Text that does not match has no whole part, or one that is no number.',
  },
  {
    file: 'src/base/values/agent-id.ts',
    line: "const [, basic = '', digits = '9'] = PARTS.exec(label) ?? [];",
    mutated: [`const [, basic = '', digits = '9'] = PARTS.exec(label) ?? ["Stryker was here"];`],
    why: 'Only the first element is another, and it is not read.',
  },
  {
    file: 'src/base/values/money.ts',
    line: "return typeof name === 'string' && currencyDecimals(name) !== undefined ? name : null;",
    mutated: ['return true && currencyDecimals(name) !== undefined ? name : null;'],
    why: 'Only texts are codes: the condition is for the compiler.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: "if (typeof data !== 'object' || data === null) return;",
    mutated: ['if (false || data === null) return;'],
    why: 'A text has no member that a verdict reads.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: "if (typeof part === 'object' && part !== null)",
    mutated: [
      'if (true)',
      "if (typeof part === 'object' || part !== null)",
      'if (true && part !== null)',
      "if (typeof part === 'object' && true)",
    ],
    why: 'The call returns at once for anything but an object.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: "return typeof value === 'object' && value !== null && membersOf(value, maxMembers, MAX_DEPTH) >= 0;",
    mutated: ["return typeof value === 'object' && true && membersOf(value, maxMembers, MAX_DEPTH) >= 0;"],
    why: 'A look at the prototype of null throws, which is false as well.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: 'if (leftCount < 0 || hiddenCount !== 0 || Object.getOwnPropertySymbols(value).length > 0) return REFUSED;',
    mutated: [
      'if (false || hiddenCount !== 0 || Object.getOwnPropertySymbols(value).length > 0) return REFUSED;',
    ],
    why: 'What is left never rises: a negative number is returned at the end.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: 'if (leftCount < 0) return REFUSED;',
    mutated: ['if (false) return REFUSED;'],
    why: 'What is left never rises: a negative number is returned at the end.',
  },
  {
    file: 'src/base/values/json-data.ts',
    line: 'const part: unknown = ownDescriptor?.value;',
    mutated: ['const part: unknown = ownDescriptor.value;'],
    why: 'Where there is no such member the look throws, which is false as well.',
  },
  {
    file: 'src/base/values/money.ts',
    line: "if (typeof amount === 'number') {",
    mutated: [
      'if (true) {',
      'if (false) {',
      "if (typeof amount !== 'number') {",
      'if (typeof amount === "") {',
      "if (typeof amount === 'number') {}",
    ],
    why: 'The text of a number says the same: the shortcut saves spelling it. No text equals a quotient.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'const product = Math.round(amount * scale);',
    mutated: ['const product = Math.round(amount / scale);'],
    why: 'Then only 0 takes the shortcut, and the text of the others says the same.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'if (product < EXACT && product / scale === amount) return product;',
    mutated: [
      'if (false) return product;',
      'if (product <= EXACT && product / scale === amount) return product;',
      'if (product < EXACT && product * scale === amount) return product;',
    ],
    why: 'The text of a number says the same: the shortcut saves spelling it.',
  },
  {
    file: 'src/base/values/money.ts',
    line: 'return units < EXACT ? units / (SCALES[decimals] as number) : toAmount(unitsText(units, decimals));',
    mutated: [
      'return false ? units / (SCALES[decimals] as number) : toAmount(unitsText(units, decimals));',
      'return units <= EXACT ? units / (SCALES[decimals] as number) : toAmount(unitsText(units, decimals));',
    ],
    why: 'The text of the units says the same: the quotient saves spelling it.',
  },
  {
    file: 'src/base/values/money.ts',
    line: "const [whole = '', fraction = ''] = amountText(amount).split('.');",
    mutated: [`const [whole = "Stryker was here!", fraction = ''] = amountText(amount).split('.');`],
    why: 'A text that was split has a first part: the default is for the compiler.',
  },
  ...fieldsOf('src/base/values/budget.ts', ['name', 'window', 'limit', 'count', 'actions']),
  ...fieldsOf('src/base/values/approval.ts', ['above', 'actions', 'seconds', 'count', 'by', 'changes']),
  {
    file: 'src/base/values/budget-window.ts',
    line: "case 'lifetime':",
    mutated: ["case 'lifetime':", 'case "":'],
    why: 'Without the case the function ends, and gives undefined as well: it is for the compiler.',
  },
];

/** The compiler holds a table to the fields of a record; only its names are read. */
function fieldsOf(file, names) {
  return names.map((name) => ({
    file,
    line: `${name}: true,`,
    mutated: [`${name}: false,`],
    why: 'Only the names of the table are read.',
  }));
}
