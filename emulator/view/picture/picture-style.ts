/** Measures and colours of a picture: its units are px of a page, or points of paper. */
export interface PictureStyle {
  /** Size of one chart. */
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  readonly fontFamily: string;
  /** Unit of the whole picture in its file: `px` or `pt`. */
  readonly unit: 'px' | 'pt';
  /** True if charts have their titles; a paper has captions. */
  readonly hasTitles: boolean;
  /** True if lines are named above the chart; a page has buttons for that. */
  readonly hasLegend: boolean;
  readonly ink: Ink;
}

/** Colours of a picture beside those of its series. */
export interface Ink {
  /** Which colours of series go with them. */
  readonly series: 'light' | 'dark' | 'picture';
  readonly text: string;
  readonly grid: string;
  readonly axis: string;
  readonly reference: string;
  readonly paper: string;
}

/** Colours of files, which lie on light and dark pages, and on paper. */
export const PICTURE_INK: Ink = {
  series: 'picture',
  text: '#1d2733',
  grid: '#e3e7eb',
  axis: '#8a94a0',
  reference: '#8a94a0',
  paper: '#fff',
};

const SCREEN_FONT = 'system-ui, sans-serif';

/** Charts of documents on a screen. */
export const SCREEN: PictureStyle = {
  width: 520,
  height: 380,
  fontSize: 12,
  fontFamily: SCREEN_FONT,
  unit: 'px',
  hasTitles: true,
  hasLegend: true,
  ink: PICTURE_INK,
};

/** A chart of a page, which has title and legend beside it. */
export const pageStyle = (width: number, height: number, ink: Ink): PictureStyle => ({
  ...SCREEN,
  width,
  height,
  hasTitles: false,
  hasLegend: false,
  ink,
});

const PAPER = {
  fontFamily: "'Times New Roman', 'Nimbus Roman', 'Liberation Serif', serif",
  unit: 'pt',
  hasTitles: false,
  hasLegend: true,
  ink: PICTURE_INK,
} as const;

/** Figures of papers in one column and over both, in points: 3.33 and 7 inches, as in ACM's and IEEE's styles. */
export const PAPER_STYLES = {
  column: { ...PAPER, width: 240, height: 160, fontSize: 8 },
  page: { ...PAPER, width: 504, height: 200, fontSize: 9 },
} as const satisfies Record<string, PictureStyle>;
