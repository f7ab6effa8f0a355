import type { CarrierHop } from '../../hop/hop';
import type { DecodedFrame } from '../decode/decode-frame';
import type { DecodeSettings } from '../decode/decode-settings';
import type { DecodeFormat, Telemetry } from '../decode/telemetry';
import { ByteText, encode } from './byte-text';
import type { EncodedText } from './byte-text';
import { KnownPackets } from './known-packets';
import type { LineFormat, LineHead } from './line-format';
import { FORMAT_FIELDS, HOP_FIELDS } from './telemetry-fields';

const COMMA = 44;
const POINT = 46;

/** Columns that every line has before those of hops. */
const HEAD_COLUMNS = [
  'frame',
  'time',
  'source',
  'destination',
  'protocol',
  'sourcePort',
  'destinationPort',
  'dscp',
  'format',
  'kind',
  'hop',
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
  readonly #details = new WeakMap<object, EncodedText>();

  readonly #timeModulus = new SteadyCell();
  readonly #txModulus = new SteadyCell();
  readonly #capacity = new SteadyCell();

  readonly shortcut: KnownPackets | undefined;

  /** @param settings those by which frames are decoded. */
  constructor(format: DecodeFormat | 'auto', settings: DecodeSettings) {
    this.#format = format;
    this.#hopFields = format === 'auto' ? [] : FORMAT_FIELDS[format].hop;
    if (format !== 'auto' && format !== 'int') return;
    this.shortcut = new KnownPackets(settings, {
      flow: (decoded) => this.#flowText(decoded),
      end: ({ telemetry: [found] }) => this.#endText(found),
    });
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

  /** Text from the comma behind the time to the one before the hop's number. */
  #flowText(decoded: DecodedFrame): string {
    const out = new ByteText();
    const [found] = decoded.telemetry;
    writeFlow(out, decoded);
    const kind = found !== undefined && 'details' in found ? found.details['kind'] : '';
    return `${Buffer.from(out.written).toString()}int,${String(kind)},`;
  }

  /** Rest of a line after the capacity of a hop without further fields. */
  #endText(found: Telemetry | undefined): string {
    if (found === undefined || 'fault' in found) return '';
    return `,${','.repeat(this.#hopFields.length)}${this.#detailText(found.details)}`;
  }

  /** The cells behind those of hops, the empty one of the fault, and the end of the line. */
  #detailCells(details: Readonly<Record<string, unknown>>): EncodedText {
    if (this.#format === 'auto') return NO_DETAILS;
    const known = this.#details.get(details);
    if (known !== undefined) return known;
    const text = encode(this.#detailText(details));
    this.#details.set(details, text);
    return text;
  }

  #detailText(details: Readonly<Record<string, unknown>>): string {
    const names = this.#format === 'auto' ? [] : FORMAT_FIELDS[this.#format].details;
    return `${names.map((name) => `,${cell(details[name])}`).join('')},\n`;
  }
}

const NO_FIELDS = { details: [], hop: [] };
const NO_DETAILS = encode(',\n');
const NO_HOP_FIELDS = encode(','.repeat(HOP_FIELDS.length));
/** Text from the kind to before the first own column. */
const NO_HOP = encode(','.repeat(2 + HOP_FIELDS.length));

/** Up to the comma before the format. */
function writeHead(out: ByteText, { frame, time, decoded }: LineHead): void {
  out.number(frame);
  out.character(COMMA);
  if (time !== undefined) {
    out.number(time.seconds);
    out.character(POINT);
    out.nineDigits(time.nanoseconds);
  }
  writeFlow(out, decoded);
}

function writeFlow(out: ByteText, { ip, transport }: DecodedFrame): void {
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
