/** Colours of one series: on light pages, on dark ones, and in pictures, which lie on either. */
interface SeriesColor {
  readonly light: string;
  readonly dark: string;
  readonly picture: string;
}

/**
 * Colours of series in their order, distinct for people with any kind of colour vision (after Okabe
 * and Ito). A series has one hue wherever it is drawn.
 */
const SERIES_COLORS: readonly SeriesColor[] = [
  { light: '#0072b2', dark: '#56b4e9', picture: '#2f74d0' },
  { light: '#c2410c', dark: '#ff9a5c', picture: '#d1495b' },
  { light: '#00785a', dark: '#2bc79a', picture: '#2a9d6f' },
  { light: '#9c3f7a', dark: '#e59ac4', picture: '#b5568a' },
  { light: '#8a5a00', dark: '#f0c04a', picture: '#b87a00' },
  { light: '#6a4fb3', dark: '#c9b3ff', picture: '#6a4fb3' },
  { light: '#5b5b5b', dark: '#c8cdd3', picture: '#7f858c' },
  { light: '#2a7fb8', dark: '#9db4ff', picture: '#4a90c8' },
];

/** @param index of the series; those beyond the last colour begin again. */
export const seriesColor = (index: number): SeriesColor =>
  SERIES_COLORS[index % SERIES_COLORS.length] as SeriesColor;
