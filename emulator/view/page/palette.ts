import { colorOf as inkColorOf } from '../picture/chart-lines';
import type { Ink } from '../picture/picture-style';

const scheme = window.matchMedia('(prefers-color-scheme: dark)');

/** Calls back when the system turns dark or light; the result ends that. */
export function followScheme(changed: () => void): () => void {
  scheme.addEventListener('change', changed);
  return () => scheme.removeEventListener('change', changed);
}

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
const both = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

export const colorOf = (index: number): string =>
  both(inkColorOf(index, LIGHT_INK), inkColorOf(index, DARK_INK));

export const REFERENCE_COLOR = both(LIGHT_INK.reference, DARK_INK.reference);

/** Colours of charts, which are drawn for one scheme. */
export const ink = (): Ink => (scheme.matches ? DARK_INK : LIGHT_INK);

/** Colour and width for each fifth of the load, from idle to full. */
const LOAD_LIGHT = ['#b5bec8', '#7fb8dd', '#2f86bf', '#d08a00', '#c2410c', '#8b1a1a'];
const LOAD_DARK = ['#4a5561', '#2f7fb0', '#56b4e9', '#f0c04a', '#ff9a5c', '#ff6b6b'];

/** @param load thousandths of the capacity. */
export function loadStyle(load: number): { readonly color: string; readonly width: number } {
  const step = load <= 5 ? 0 : Math.min(5, 1 + Math.floor(load / 200));
  const color = both(LOAD_LIGHT[step] as string, LOAD_DARK[step] as string);
  return { color, width: 1.2 + 0.75 * step };
}

export const LOAD_STEPS: readonly (readonly [load: number, text: string])[] = [
  [0, 'idle'],
  [100, 'below 20 %'],
  [300, 'to 40 %'],
  [500, 'to 60 %'],
  [700, 'to 80 %'],
  [950, 'above 80 %'],
];
