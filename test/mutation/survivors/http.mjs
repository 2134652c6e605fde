/** Of the group http: see `index.mjs`. */
export const http = [
  {
    file: 'src/http/authenticate.ts',
    line: "const header = headerOf(rawHeaders, 'authorization') ?? '';",
    mutated: [`const header = headerOf(rawHeaders, 'authorization') ?? "Stryker was here!";`],
    why: 'Both texts are no bearer token.',
  },
  {
    file: 'src/json/json-number.ts',
    line: 'return places === 0 ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);',
    mutated: ['return false ? digits : digits / (POWERS_OF_TEN[places] ?? Number.NaN);'],
    why: 'By one: the shortcut leaves a whole number the small integer that it is to V8.',
  },
  {
    file: 'src/json/json-problem.ts',
    line: "return character < ' ' ? 'a control character' : 'a character that has no place in JSON';",
    mutated: ["return character <= ' ' ? 'a control character' : 'a character that has no place in JSON';"],
    why: 'White space is skipped: a space never stands there.',
  },
  {
    file: 'src/json/json-string.ts',
    line: 'if (low === undefined || !isLowSurrogate(low)) return undefined;',
    mutated: ['if (false || !isLowSurrogate(low)) return undefined;'],
    why: 'Undefined is no low surrogate, either: the condition is for the compiler.',
  },
  {
    file: 'src/json/json-string.ts',
    line: 'const FOUR_HEX_DIGITS = /^[0-9A-Fa-f]{4}$/;',
    mutated: ['const FOUR_HEX_DIGITS = /[0-9A-Fa-f]{4}$/;', 'const FOUR_HEX_DIGITS = /^[0-9A-Fa-f]{4}/;'],
    why: 'What is tried has four characters at most.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'if (byte > 0x20) return byte;',
    mutated: ['if (false) return byte;'],
    why: 'What is no white space ends the loop, too: the shortcut saves writing the offset.',
  },
  {
    file: 'src/json/read-json.ts',
    line: "if (first === 0x6e) return readWord(source, 'null', null);",
    mutated: ["if (true) return readWord(source, 'null', null);"],
    why: 'What is not the word null is refused in the same words.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'if (next !== QUOTE) throw refused(source, start, noName(source, members > 0));',
    mutated: [
      'if (next !== QUOTE) throw refused(source, start, noName(source, true));',
      'if (next !== QUOTE) throw refused(source, start, noName(source, members >= 0));',
    ],
    why: 'Before the first member a closing brace ends the object: it never comes here.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'let escapes = false;',
    mutated: ['let escapes = true;'],
    why: 'It chooses one of two ways to the same text: from the shared one, or decoded anew.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'let ascii = true;',
    mutated: ['let ascii = false;'],
    why: 'It chooses one of two ways to the same text: from the shared one, or decoded anew.',
  },
  {
    file: 'src/json/read-json.ts',
    line: '} else if (byte > 0x7f) ascii = false;',
    mutated: ['} else if (true) ascii = false;', '} else if (byte >= 0x7f) ascii = false;'],
    why: 'It chooses one of two ways to the same text: from the shared one, or decoded anew.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'const mayShare = ascii && bytes.length <= SHARED_BYTES;',
    mutated: [
      'const mayShare = false;',
      'const mayShare = ascii && true;',
      'const mayShare = ascii && bytes.length < SHARED_BYTES;',
      'const mayShare = ascii && bytes.length > SHARED_BYTES;',
    ],
    why: 'It chooses one of two ways to the same text: from the shared one, or decoded anew.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'if (mayShare && !escapes) return source.text.slice(start, i);',
    mutated: ['if (false) return source.text.slice(start, i);'],
    why: 'It chooses one of two ways to the same text: from the shared one, or decoded anew.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'if (!escapes) return raw;',
    mutated: ['if (false) return raw;'],
    why: 'Text without escapes is what its escapes say: the shortcut saves looking for them.',
  },
  {
    file: 'src/json/read-json.ts',
    line: 'if (!exponent && length <= EXACT_DIGITS && !(negative && digits === 0)) {',
    mutated: [
      'if (false) {',
      'if (!exponent && length < EXACT_DIGITS && !(negative && digits === 0)) {',
      'if (!exponent && length <= EXACT_DIGITS && !(true)) {',
      'if (!exponent && length <= EXACT_DIGITS && !(negative || digits === 0)) {',
      'if (!exponent && length <= EXACT_DIGITS && !(negative && true)) {',
      'if (!exponent && length <= EXACT_DIGITS && !(negative && digits === 0)) {}',
    ],
    why: 'Every number can be read by its text, with the same result: the shortcut saves the text.',
  },
];
