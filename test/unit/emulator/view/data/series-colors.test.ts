import { seriesColor } from '../../../../../emulator/view/data/series-colors';

/** Degrees on the circle of hues, and how far from grey, from 0 to 1. */
function hueOf(color: string): { readonly hue: number; readonly chroma: number } {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => parseInt(color.slice(at, at + 2), 16) / 255,
  );
  const x = red - (green + blue) / 2;
  const y = (Math.sqrt(3) / 2) * (green - blue);
  return { hue: (Math.atan2(y, x) * 180) / Math.PI, chroma: Math.hypot(x, y) };
}

const COLORS = Array.from({ length: 8 }, (_, i) => seriesColor(i));

describe('the colours of a series', () => {
  test.each(COLORS)('$light, $dark and $picture are of one hue', ({ light, dark, picture }) => {
    const of = hueOf(light);
    for (const other of [dark, picture].map(hueOf)) {
      const turn = Math.abs(((other.hue - of.hue + 540) % 360) - 180);
      const areGrey = of.chroma < 0.1 && other.chroma < 0.1;
      expect(areGrey || turn < 40).toBe(true);
    }
  });

  test('differ from those of the others, and begin again behind the last', () => {
    for (const kind of ['light', 'dark', 'picture'] as const) {
      expect(new Set(COLORS.map((color) => color[kind])).size).toBe(COLORS.length);
    }
    expect(seriesColor(8)).toBe(seriesColor(0));
  });
});
