/** Of the group credential: see `index.mjs`. */
export const credential = [
  {
    file: 'src/credential/password.ts',
    line: "const [, lnText = '', rText = '', pText = '', saltText = '', keyText = ''] = match;",
    mutated: [
      `const [, lnText = "Stryker was here!", rText = '', pText = '', saltText = '', keyText = ''] = match;`,
      `const [, lnText = '', rText = "Stryker was here!", pText = '', saltText = '', keyText = ''] = match;`,
      `const [, lnText = '', rText = '', pText = "Stryker was here!", saltText = '', keyText = ''] = match;`,
      `const [, lnText = '', rText = '', pText = '', saltText = "Stryker was here!", keyText = ''] = match;`,
      `const [, lnText = '', rText = '', pText = '', saltText = '', keyText = "Stryker was here!"] = match;`,
    ],
    why: 'A match has all of them: the defaults are for the compiler.',
  },
  {
    file: 'src/credential/session.ts',
    line: "requiredClaims: ['sub', 'jti', 'iat', 'exp'],",
    mutated: ['requiredClaims: [],'],
    why: 'Reading the claims refuses what is missing, too.',
  },
  {
    file: 'src/credential/random-id.ts',
    line: 'return readBase62(text, prefix.length) >= 0 && readBase62(text, length) === crc32OfText(text, length);',
    mutated: [
      'return readBase62(text, prefix.length) > 0 && readBase62(text, length) === crc32OfText(text, length);',
    ],
    why: 'Only zeros read as 0, and their checksum is not 0.',
  },
  {
    file: 'src/credential/webhook-secret.ts',
    line: "const key = await subtle.importKey('raw', new Uint8Array(secret), algorithm, false, ['sign']);",
    mutated: [
      "const key = await subtle.importKey('raw', new Uint8Array(secret), algorithm, true, ['sign']);",
    ],
    why: 'The key does not leave the function: whether it could be exported makes no difference.',
  },
  {
    file: 'src/credential/secret-fingerprint.ts',
    line: "return fingerprint === fingerprintOf(secret, fingerprint.split('.', 1)[0] ?? '');",
    mutated: [
      `return fingerprint === fingerprintOf(secret, fingerprint.split('.', 1)[0] ?? "Stryker was here!");`,
    ],
    why: 'Every text has a first part: the default is for the compiler.',
  },
];
