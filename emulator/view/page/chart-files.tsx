import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { chartCsv } from '../data/chart';
import type { Chart } from '../data/chart';
import { drawPicture } from '../picture/draw-picture';
import { PAPER_STYLES } from '../picture/picture-style';
import { dotsOf, saveFile, saveText } from './download';

/** The command that makes the page again, which files of its charts have in themselves. */
export const PageCommand = createContext('');

/** Printers of papers want so many dots in an inch, which has 72 points. */
const DOTS_PER_POINT = 300 / 72;

type Width = keyof typeof PAPER_STYLES;

const WIDTHS: readonly (readonly [Width, text: string])[] = [
  ['column', 'one column'],
  ['page', 'two columns'],
];

/** Saves a chart as `hpcc plot` writes it: as drawing, as dots, as data. */
export function ChartFiles({ chart }: { readonly chart: Chart }) {
  const command = useContext(PageCommand);
  const [refusal, setRefusal] = useState('');
  const { id, title } = chart;
  const drawing = (width: Width): string => drawPicture([chart], command, PAPER_STYLES[width]);
  const saveDots = async (width: Width): Promise<void> => {
    const { width: points, height } = PAPER_STYLES[width];
    try {
      const size = { width: points, height, perPoint: DOTS_PER_POINT };
      saveFile(`${id}.png`, await dotsOf(drawing(width), size));
      setRefusal('');
    } catch (error) {
      setRefusal(`No PNG was made: ${String(error)}`);
    }
  };
  const button = (text: string, save: () => void) => (
    <button type="button" aria-label={`Save ${title} as ${text}`} onClick={save}>
      {text}
    </button>
  );
  return (
    <details class="files">
      <summary aria-label={`Save ${title}`}>Save</summary>
      <p class="made">
        {WIDTHS.map(([width, text]) =>
          button(`SVG, ${text}`, () => saveText(`${id}.svg`, drawing(width), 'image/svg+xml')),
        )}
        {WIDTHS.map(([width, text]) => button(`PNG, ${text}`, () => void saveDots(width)))}
        {button('CSV', () => saveText(`${id}.csv`, chartCsv(chart)))}
        <span role="status">{refusal}</span>
      </p>
    </details>
  );
}
