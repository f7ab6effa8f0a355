import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { writeAtomically } from '../../common/io/atomic-file';
import { InputError } from '../../common/errors';
import { chartCsv } from '../view/data/chart';
import type { Chart } from '../view/data/chart';
import { drawPicture } from '../view/picture/draw-picture';
import type { PictureStyle } from '../view/picture/picture-style';

/** Kinds of files that charts are written as, by the ends of their names. */
export const PICTURE_KINDS = ['.svg', '.pdf', '.png', '.csv'] as const;

type PictureKind = (typeof PICTURE_KINDS)[number];

/** Printers of papers want so many dots in an inch. */
const DOTS_PER_INCH = 300;

export interface PictureWanted {
  readonly style: PictureStyle;
  /** Command that makes the picture again. */
  readonly command: string;
}

/**
 * Writes a chart: as a picture whose words stay text (SVG, PDF), as dots (PNG), or its data (CSV).
 * @throws InputError for a file that cannot be written, and where the program is not there that PDF and PNG need.
 */
export function writePicture(chart: Chart, file: string, wanted: PictureWanted): void {
  const content = contentOf(chart, pictureKind(file), wanted);
  try {
    writeAtomically(file, content);
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** @throws InputError for a name that ends otherwise. */
export function pictureKind(file: string): PictureKind {
  const kind = PICTURE_KINDS.find((end) => end === path.extname(file).toLowerCase());
  if (kind !== undefined) return kind;
  throw new InputError(`the name of a picture ends with ${PICTURE_KINDS.join(', ')}, not ${file}`);
}

function contentOf(
  chart: Chart,
  kind: PictureKind,
  { style, command }: PictureWanted,
): string | Uint8Array {
  if (kind === '.csv') return chartCsv(chart);
  const svg = drawPicture([chart], command, style);
  return kind === '.svg' ? svg : converted(svg, kind === '.pdf' ? 'pdf' : 'png');
}

/** A picture by librsvg, as Inkscape and desktops show it. */
function converted(svg: string, format: 'pdf' | 'png'): Uint8Array {
  const dots = ['--dpi-x', '--dpi-y'].flatMap((flag) => [flag, String(DOTS_PER_INCH)]);
  const made = spawnSync('rsvg-convert', ['--format', format, ...dots], {
    input: svg,
    maxBuffer: OUTPUT_MAX,
  });
  if (made.error !== undefined) {
    throw new InputError(
      `a ${format.toUpperCase()} is made by rsvg-convert (package librsvg2-bin), which cannot be run: ` +
        `${made.error.message}; .svg and .csv need nothing`,
    );
  }
  if (made.status !== 0) throw new InputError(`rsvg-convert: ${String(made.stderr).trim()}`);
  return made.stdout;
}

const OUTPUT_MAX = 2 ** 28;
