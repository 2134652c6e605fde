/** The paths of tiles. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTilePath, type Tile, tilePath, tilesOf, widthIn } from '../../src/transparency-log/tiles.ts';

test.each<[string, Tile]>([
  ['tile/0/000', { level: 0, index: 0, width: 256 }],
  ['tile/0/000.p/1', { level: 0, index: 0, width: 1 }],
  ['tile/0/x001/234.p/5', { level: 0, index: 1_234, width: 5 }],
  ['tile/4/x001/x234/067', { level: 4, index: 1_234_067, width: 256 }],
  ['tile/63/999.p/255', { level: 63, index: 999, width: 255 }],
])('%s is the path of a tile', (path, tile) => {
  expect(tilePath(tile)).toBe(path);
  expect(readTilePath(path)).toEqual(tile);
});

test.each([
  ...['', 'tile', 'tile/0', 'tile/0/', 'tile/0/0', 'tile/0/00', 'tile/0/0000', 'tile/0/000/', '/tile/0/000'],
  ...[
    'tile/0/000.p',
    'tile/0/000.p/',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/999',
  ],
  ...['tile/00/000', 'tile/-1/000', 'tile/64/000', 'tile/data/000', 'tile/entries/000', 'tile/0/x1/2'],
  ...[
    'tile/0/x000/001',
    'tile/0/001/001',
    'tile/0/x001',
    'tile/0/001/x001',
    'tile/0/X001/001',
    'tile/0/000.p/5\n',
  ],
  ...['tile/0/000?x', 'tile/0/x999/x999/x999/x999/x999/999', 'tile/8/0/000', 'tile/0/000.p/1000'],
])('%j is not the path of a tile', (path) => {
  expect(readTilePath(path)).toBeUndefined();
});

test('every path is read as the tile that it was written for', () => {
  const tile = fc.record({
    level: fc.integer({ min: 0, max: 63 }),
    index: fc.oneof(fc.nat(), fc.maxSafeNat()),
    width: fc.integer({ min: 1, max: 256 }),
  });
  fc.assert(
    fc.property(tile, (any) => {
      expect(readTilePath(tilePath(any))).toEqual(any);
    }),
  );
});

test('the example of the specification: a tree of 70,000 leaves', () => {
  const tiles = [...tilesOf(70_000)];
  const count = (level: number) => tiles.filter((tile) => tile.level === level && tile.width === 256).length;
  expect([count(0), count(1), count(2), tiles.length]).toEqual([273, 1, 0, 277]);
  expect(tiles.filter(({ width }) => width < 256).map(tilePath)).toEqual([
    ...['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1'],
  ]);
  expect([widthIn(70_000, { level: 0, index: 274 }), widthIn(70_000, { level: 3, index: 0 })]).toEqual([
    0, 0,
  ]);
});
