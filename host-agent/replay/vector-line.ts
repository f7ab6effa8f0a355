import { InputError } from '../../common/errors';
import type { HopRecord } from '../../common/hop/hop';

/** One acknowledgement of a recorded run: what the sender saw, and what it made of it. */
interface VectorLine {
  readonly timeNs: number;
  /** Names the flow: source, destination and source port. */
  readonly flow: string;
  readonly ackSequence: number;
  readonly nextSequence: number;
  readonly hops: readonly RecordedHop[];
  readonly expected: ExpectedState;
}

/** Telemetry of a link in the simulator's reduced counters, expanded to bytes and ns. */
export type RecordedHop = Pick<HopRecord, 'queueBytes' | 'txBytes' | 'timestamp'>;

/** The columns that a replay compares, by their names in the file. */
export interface ExpectedState {
  readonly kind: string;
  readonly last_update_seq_before: number;
  readonly U: number;
  readonly inc_stage: number;
  readonly rate_bps: number;
  readonly rc_bps: number;
  readonly win_bytes: number;
}

const FIXED_COLUMNS =
  't_ns,src,dst,sport,ack_seq,kind,last_update_seq_before,snd_nxt,snd_una,U,inc_stage,' +
  'rate_bps,rc_bps,win_bytes,nhop';
const FIRST_HOP_COLUMN = FIXED_COLUMNS.split(',').length;
const COLUMNS_PER_HOP = 3;

/** True if `line` is the header that names the columns of a vector file. */
export function isVectorHeader(line: string): boolean {
  return line === FIXED_COLUMNS || line.startsWith(`${FIXED_COLUMNS},`);
}

/** The number of links on the acknowledged packet's path. `where` is named in errors. */
export function parseHopCount(line: string, where: string): number {
  return new LineReader(line, where).integer(FIRST_HOP_COLUMN - 1, 'nhop');
}

/**
 * Parses a line after the header. Columns of hops beyond `nhop` may be left out.
 * @param where named in errors, as in "line 7"
 * @throws InputError naming the column that is missing or no number.
 */
export function parseVectorLine(line: string, where: string): VectorLine {
  const reader = new LineReader(line, where);
  return {
    timeNs: reader.integer(0, 't_ns'),
    flow: `${reader.text(1, 'src')},${reader.text(2, 'dst')},${reader.text(3, 'sport')}`,
    ackSequence: reader.integer(4, 'ack_seq'),
    nextSequence: reader.integer(7, 'snd_nxt'),
    hops: reader.hops(reader.integer(FIRST_HOP_COLUMN - 1, 'nhop')),
    expected: {
      kind: reader.text(5, 'kind'),
      last_update_seq_before: reader.integer(6, 'last_update_seq_before'),
      U: reader.number(9, 'U'),
      inc_stage: reader.integer(10, 'inc_stage'),
      rate_bps: reader.integer(11, 'rate_bps'),
      rc_bps: reader.integer(12, 'rc_bps'),
      win_bytes: reader.integer(13, 'win_bytes'),
    },
  };
}

class LineReader {
  readonly #cells: readonly string[];
  readonly #where: string;

  constructor(line: string, where: string) {
    this.#cells = line.split(',');
    this.#where = where;
  }

  text(index: number, column: string): string {
    const cell = this.#cells[index];
    if (cell !== undefined && cell !== '') return cell;
    throw new InputError(`${this.#where}: column ${column} is missing`);
  }

  number(index: number, column: string): number {
    const cell = this.text(index, column);
    const value = Number(cell);
    if (Number.isFinite(value) && value >= 0) return value;
    throw new InputError(
      `${this.#where}: column ${column} must be a number of at least 0, got "${cell}"`,
    );
  }

  integer(index: number, column: string): number {
    const value = this.number(index, column);
    if (Number.isSafeInteger(value)) return value;
    throw new InputError(`${this.#where}: column ${column} must be an integer, got ${value}`);
  }

  hops(count: number): readonly RecordedHop[] {
    const hops: RecordedHop[] = [];
    for (let hop = 0; hop < count; hop++) {
      const at = FIRST_HOP_COLUMN + hop * COLUMNS_PER_HOP;
      hops.push({
        queueBytes: this.integer(at, `q${hop}`),
        txBytes: this.integer(at + 1, `b${hop}`),
        timestamp: this.integer(at + 2, `ts${hop}`),
      });
    }
    return hops;
  }
}
