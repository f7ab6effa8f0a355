import type { CarrierHop } from '../../hop/hop';
import type { Telemetry } from '../decode/telemetry';
import type { ByteText } from './byte-text';
import type { LineFormat, LineHead } from './line-format';
import { HOP_FIELDS } from './telemetry-fields';

/** Details that tell packets of one flow apart; the others are in JSON and CSV. */
const SHOWN_DETAILS: readonly string[] = [
  'kind',
  'version',
  'instructionBitmap',
  'sequence',
  'type',
  'flowId',
  'report',
  'tunnel',
];
/** A modulus is of no use to people. */
const HOP_COLUMNS = HOP_FIELDS.filter(([name]) => !name.includes('Modulus'));

/** For people at a terminal: a line for each telemetry, and under it a table of its hops. */
export class TableLines implements LineFormat {
  start(): void {}

  write(out: ByteText, head: LineHead, telemetry: Telemetry): void {
    out.text(`frame ${head.frame}${flowText(head)}  ${telemetry.format}`);
    if ('fault' in telemetry) {
      out.text(`  FAULT ${telemetry.fault.toString()}\n`);
      return;
    }
    const { details, hops } = telemetry;
    for (const name of SHOWN_DETAILS) {
      const value = details[name];
      if (value !== undefined)
        out.text(`  ${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    }
    out.text('\n');
    if (hops.length > 0) out.text(`${tableOf(hops)}\n`);
  }
}

function flowText({ decoded: { ip, transport } }: LineHead): string {
  if (ip === undefined) return '';
  if (transport === undefined) return `  ${ip.source} -> ${ip.destination} protocol ${ip.protocol}`;
  const { sourcePort, destinationPort, protocol } = transport;
  const end = (address: string, port: number): string =>
    address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return `  ${end(ip.source, sourcePort)} -> ${end(ip.destination, destinationPort)} ${protocol}`;
}

/** Columns that no hop has are left out; numbers stand right-aligned. */
function tableOf(hops: readonly CarrierHop[]): string {
  const own = [...new Set(hops.flatMap(({ fields = {} }) => Object.keys(fields)))];
  const columns = [
    ['hop', hops.map((_, i) => String(i + 1))] as const,
    ...HOP_COLUMNS.map(([name, key]) => [name, hops.map((hop) => textOf(hop[key]))] as const),
    ...own.map((name) => [name, hops.map(({ fields }) => textOf(fields?.[name]))] as const),
  ].filter(([, cells]) => cells.some((cell) => cell !== NONE));
  const widths = columns.map(([name, cells]) => Math.max(name.length, ...cells.map(lengthOf)));
  const lineOf = (cells: readonly string[]): string =>
    `  ${cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')}`;
  const rows = hops.map((_, i) => lineOf(columns.map(([, cells]) => cells[i] ?? NONE)));
  return [lineOf(columns.map(([name]) => name)), ...rows].join('\n');
}

const NONE = '-';
const textOf = (value: number | string | boolean | undefined): string =>
  value === undefined ? NONE : String(value);
const lengthOf = (text: string): number => text.length;
