/** Orders records so that accounts take turns: the first record of each account, then the second of each. */
export function byTurns<Item extends { readonly account_id: string }>(
  list: readonly Item[],
): readonly Item[] {
  const places = new Map<string, number>();
  const placed = list.map((item) => {
    const place = places.get(item.account_id) ?? 0;
    places.set(item.account_id, place + 1);
    return { item, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
