/** Finds secrets in passport files. A passport contains no secrets, and many people read the files. */
import type { Fault, WrittenPassport } from './document.ts';
import { placeIn, pointerTo } from './document.ts';

const SECRET =
  /\b(?:ais_(?:live|test|manage)_[0-9A-Za-z]{8,}|whsec_[0-9A-Za-z+/_-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----/g;

const MESSAGE = 'This is a secret. Remove it here, and replace it where it is valid.';

export function secretsInText(path: string, text: string): readonly Fault[] {
  return [...text.matchAll(SECRET)].map(({ index }) => ({
    place: placeIn(path, text, index),
    message: MESSAGE,
  }));
}

/** Finds secrets that only the parsed values show: texts with escapes or line breaks, and private keys as JWK. */
export function secretsInValue({ value, placeOf }: WrittenPassport): readonly Fault[] {
  const faults: Fault[] = [];
  const look = (part: unknown, pointer: string): void => {
    if (typeof part === 'string' && isSecret(part))
      faults.push({ place: placeOf(pointer), message: MESSAGE });
    if (typeof part !== 'object' || part === null) return;
    if (isPrivateKey(part)) faults.push({ place: placeOf(pointer), message: MESSAGE });
    for (const [name, inner] of Object.entries(part)) {
      const entryPointer = pointerTo(pointer, name);
      if (isSecret(name)) faults.push({ place: placeOf(entryPointer), message: MESSAGE });
      look(inner, entryPointer);
    }
  };
  look(value, '');
  return faults;
}

function isSecret(text: string): boolean {
  if (text.search(SECRET) >= 0) return true;
  return /"kty"\s*:/.test(text) && /"[dk]"\s*:/.test(text);
}

function isPrivateKey(part: object): boolean {
  return Object.hasOwn(part, 'kty') && (Object.hasOwn(part, 'd') || Object.hasOwn(part, 'k'));
}
