import { colorOf as inkColorOf } from '../picture/chart-lines';
import type { Ink } from '../picture/picture-style';

const scheme = window.matchMedia('(prefers-color-scheme: dark)');

export const isDark = (): boolean => scheme.matches;

/** Calls back when the system turns dark or light; the result ends that. */
export function followScheme(changed: () => void): () => void {
  scheme.addEventListener('change', changed);
  return () => scheme.removeEventListener('change', changed);
}

export const colorOf = (index: number): string => inkColorOf(index, ink());

/** Charts on light pages, and on paper. */
export const LIGHT_INK: Ink = {
  series: 'light',
  text: '#46525e',
  grid: '#e3e7eb',
  axis: '#8a94a0',
  reference: '#111111',
  paper: 'none',
};

const DARK_INK: Ink = {
  series: 'dark',
  text: '#b8c2cc',
  grid: '#2a333e',
  axis: '#7d8894',
  reference: '#ffffff',
  paper: 'none',
};

/** A colour of a style sheet that is right on screens of both schemes, and on paper. */
const both = (of: (ink: Ink) => string): string => `light-dark(${of(LIGHT_INK)}, ${of(DARK_INK)})`;

export const swatchColor = (index: number): string => both((each) => inkColorOf(index, each));

export const REFERENCE_COLOR = both(({ reference }) => reference);

export const ink = (): Ink => (isDark() ? DARK_INK : LIGHT_INK);

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
