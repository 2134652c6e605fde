/** Joins the pieces; `length` is the sum of their lengths. A single piece is returned without copying. */
export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [onlyBytes] = pieces;
  if (pieces.length === 1 && onlyBytes !== undefined) return onlyBytes;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
