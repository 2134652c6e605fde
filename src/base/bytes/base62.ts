/** The digits of base62 in the order of their values. */
export const BASE62: string = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const VALUES: Int8Array = new Int8Array(128).fill(-1);
for (let value = 0; value < BASE62.length; value += 1) VALUES[BASE62.charCodeAt(value)] = value;

export function base62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(width, '0');
}

export function readBase62(text: string, start: number): number {
  let number = 0;
  for (let at = start; at < text.length; at += 1) {
    const value = VALUES[text.charCodeAt(at)] ?? -1;
    if (value < 0) return -1;
    number = number * 62 + value;
  }
  return number;
}
