import { seriesColor } from '../data/series-colors';

const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [9, 3, 2, 3]];

const scheme = window.matchMedia('(prefers-color-scheme: dark)');

export const isDark = (): boolean => scheme.matches;

/** Calls back when the system turns dark or light; the result ends that. */
export function followScheme(changed: () => void): () => void {
  scheme.addEventListener('change', changed);
  return () => scheme.removeEventListener('change', changed);
}

export function colorOf(index: number): string {
  const { light, dark } = seriesColor(index);
  return isDark() ? dark : light;
}

/** Besides the colour: groups differ by their dashes too. */
export const dashOf = (index: number): number[] => [...(DASHES[index % DASHES.length] as number[])];

export interface Ink {
  readonly text: string;
  readonly grid: string;
  readonly reference: string;
}

export const ink = (): Ink =>
  isDark()
    ? { text: '#b8c2cc', grid: '#2a333e', reference: '#ffffff' }
    : { text: '#46525e', grid: '#e3e7eb', reference: '#111111' };

/** Colour and width for each fifth of the load, from idle to full. */
const LOAD_LIGHT = ['#b5bec8', '#7fb8dd', '#2f86bf', '#d08a00', '#c2410c', '#8b1a1a'];
const LOAD_DARK = ['#4a5561', '#2f7fb0', '#56b4e9', '#f0c04a', '#ff9a5c', '#ff6b6b'];

/** @param load thousandths of the capacity. */
export function loadStyle(load: number): { readonly color: string; readonly width: number } {
  const step = load <= 5 ? 0 : Math.min(5, 1 + Math.floor(load / 200));
  return { color: (isDark() ? LOAD_DARK : LOAD_LIGHT)[step] as string, width: 1.2 + 0.75 * step };
}

export const LOAD_STEPS: readonly (readonly [load: number, text: string])[] = [
  [0, 'idle'],
  [100, 'below 20 %'],
  [300, 'to 40 %'],
  [500, 'to 60 %'],
  [700, 'to 80 %'],
  [950, 'above 80 %'],
];
