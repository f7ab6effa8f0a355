import type { CarrierHop } from '../../hop/hop';
import type { DecodeFormat, Telemetry } from '../decode/telemetry';
import { encode } from './byte-text';
import type { ByteText } from './byte-text';
import type { LineFormat, LineHead } from './line-format';
import { FORMAT_FIELDS, HOP_FIELDS } from './telemetry-fields';

const COMMA = 44;
const POINT = 46;

/** Columns that every line has before those of hops. */
const HEAD_COLUMNS = [
  ...['frame', 'time', 'source', 'destination', 'protocol', 'sourcePort', 'destinationPort'],
  ...['dscp', 'format', 'kind', 'hop'],
];

/** The columns for one format, with all its fields, or for any, with those that all share. */
export function csvColumns(format: DecodeFormat | 'auto'): string[] {
  const shared = [...HEAD_COLUMNS, ...HOP_FIELDS.map(([name]) => name)];
  if (format === 'auto') return [...shared, 'fault'];
  const { details, hop } = FORMAT_FIELDS[format];
  // A field that is called as another column is gets its format in front.
  const own = details.map((name) => (shared.includes(name) ? `${format}.${name}` : name));
  return [...shared, ...hop, ...own, 'fault'];
}

/**
 * Lines of RFC 4180, except that they end in a line feed alone: one per hop in path order, counted
 * from 1, or one without hop for telemetry that has none. What is absent is empty; structures are
 * JSON.
 */
export class CsvLines implements LineFormat {
  readonly #format: DecodeFormat | 'auto';
  readonly #hopFields: readonly string[];
  /** Details are often the same object, as texts of them are then. */
  readonly #details = new WeakMap<object, Uint8Array>();

  readonly #timeModulus = new SteadyCell();
  readonly #txModulus = new SteadyCell();
  readonly #capacity = new SteadyCell();

  constructor(format: DecodeFormat | 'auto') {
    this.#format = format;
    this.#hopFields = format === 'auto' ? [] : FORMAT_FIELDS[format].hop;
  }

  start(out: ByteText): void {
    out.text(`${csvColumns(this.#format).join(',')}\n`);
  }

  write(out: ByteText, head: LineHead, telemetry: Telemetry): void {
    const start = out.length;
    writeHead(out, head);
    out.text(telemetry.format);
    out.character(COMMA);
    if ('fault' in telemetry) {
      out.encoded(NO_HOP);
      const { details, hop } = this.#format === 'auto' ? NO_FIELDS : FORMAT_FIELDS[this.#format];
      out.text(','.repeat(details.length + hop.length));
      out.text(`${cell(telemetry.fault.toString())}\n`);
      return;
    }
    const { details, hops } = telemetry;
    const { kind } = details;
    if (typeof kind === 'string') out.text(kind);
    out.character(COMMA);
    const end = out.length;
    const tail = this.#detailCells(details);
    for (let i = 0; i < hops.length; i++) {
      if (i > 0) out.repeat(start, end);
      out.number(i + 1);
      this.#writeHop(out, hops[i] as CarrierHop);
      out.encoded(tail);
    }
    if (hops.length > 0) return;
    out.encoded(NO_HOP_FIELDS);
    out.text(','.repeat(this.#hopFields.length));
    out.encoded(tail);
  }

  #writeHop(out: ByteText, hop: CarrierHop): void {
    writeNumber(out, hop.switchId);
    writeNumber(out, hop.portId);
    writeNumber(out, hop.ingressPortId);
    writeNumber(out, hop.queueId);
    writeNumber(out, hop.timestamp);
    this.#timeModulus.write(out, hop.timestampModulus);
    writeNumber(out, hop.txBytes);
    this.#txModulus.write(out, hop.txBytesModulus);
    writeNumber(out, hop.queueBytes);
    this.#capacity.write(out, hop.capacity);
    writeNumber(out, hop.utilization);
    for (const name of this.#hopFields) {
      out.character(COMMA);
      const value = hop.fields?.[name];
      if (value !== undefined) out.text(cell(value));
    }
  }

  /** The cells behind those of hops, the empty one of the fault, and the end of the line. */
  #detailCells(details: Readonly<Record<string, unknown>>): Uint8Array {
    if (this.#format === 'auto') return NO_DETAILS;
    const known = this.#details.get(details);
    if (known !== undefined) return known;
    const names = FORMAT_FIELDS[this.#format].details;
    const cells = names.map((name) => `,${cell(details[name])}`);
    const text = encode(`${cells.join('')},\n`);
    this.#details.set(details, text);
    return text;
  }
}

const NO_FIELDS = { details: [], hop: [] };
const NO_DETAILS = encode(',\n');
const NO_HOP_FIELDS = encode(','.repeat(HOP_FIELDS.length));
/** From the kind to before the first own column. */
const NO_HOP = encode(','.repeat(2 + HOP_FIELDS.length));

/** Up to the comma before the format. */
function writeHead(out: ByteText, { frame, time, decoded: { ip, transport } }: LineHead): void {
  out.number(frame);
  out.character(COMMA);
  if (time !== undefined) {
    out.number(time.seconds);
    out.character(POINT);
    out.nineDigits(time.nanoseconds);
  }
  out.character(COMMA);
  if (ip === undefined) {
    out.text(',,,,,,');
    return;
  }
  out.text(ip.source);
  out.character(COMMA);
  out.text(ip.destination);
  out.character(COMMA);
  out.text(transport?.protocol ?? String(ip.protocol));
  writeNumber(out, transport?.sourcePort);
  writeNumber(out, transport?.destinationPort);
  writeNumber(out, ip.dscp);
  out.character(COMMA);
}

/** A comma, and the number if there is one. */
function writeNumber(out: ByteText, value: number | undefined): void {
  out.character(COMMA);
  if (value !== undefined) out.number(value);
}

/** A comma and a large number that seldom changes from line to line. */
class SteadyCell {
  #value: number | undefined;
  #text = encode(',');

  write(out: ByteText, value: number | undefined): void {
    if (value !== this.#value) {
      this.#value = value;
      this.#text = encode(`,${value ?? ''}`);
    }
    out.encoded(this.#text);
  }
}

/** A value as the text of a cell. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
