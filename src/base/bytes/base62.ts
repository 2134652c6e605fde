/** The digits of base62 in the order of their values. */
export const BASE62: string = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const VALUES: Int8Array = new Int8Array(128).fill(-1);
for (let value = 0; value < BASE62.length; value += 1) VALUES[BASE62.charCodeAt(value)] = value;

export function base62(value: number, width: number): string {
  let text = '';
  for (let remainder = value; remainder > 0; remainder = Math.floor(remainder / 62))
    text = BASE62.charAt(remainder % 62) + text;
  return text.padStart(width, '0');
}

export function readBase62(text: string, start: number): number {
  let number = 0;
  for (let index = start; index < text.length; index += 1) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return -1;
    number = number * 62 + value;
  }
  return number;
}
