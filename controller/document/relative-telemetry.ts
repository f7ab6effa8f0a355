import { InputError } from '../../common/errors';
import type { BitsPerSecond, PortNumber } from '../../common/units/units';
import { sipHash24 } from '../../common/wire/security/siphash';

/** Figures that a port of `hpcc-relative` shows in place of its own. */
export interface ShownPort {
  readonly alias: number;
  readonly nominalMbps: number;
  /** Nominal capacity over that of the link, in units of 2^-16. */
  readonly factor: number;
}

/** The document's `telemetry.relative`. */
export interface RelativeDocument {
  readonly nominalGbps: number;
  readonly key: string;
}

/** A port of a switch, and the rate of its link. */
export interface RatedPort {
  readonly node: string;
  readonly port: PortNumber;
  readonly rate: BitsPerSecond;
}

/** Unit of {@link ShownPort.factor}. */
const ONE = 2 ** 16;
const FACTOR_MAX = 0xffff_ffff;

/**
 * Makes what a port is shown as. Its alias is a code of its name under the key: without the key nobody tells
 * from it which switch it is of.
 */
export function shownPort(
  { nominalGbps, key }: RelativeDocument,
  { node, port, rate }: RatedPort,
): ShownPort {
  const code = sipHash24(bytesOf(key), new TextEncoder().encode(`${node}:${port}`));
  const factor = Math.round((nominalGbps * 1e9 * ONE) / rate);
  return {
    alias: new DataView(code.buffer, code.byteOffset).getUint32(0),
    nominalMbps: Math.round(nominalGbps * 1000),
    factor: Math.min(FACTOR_MAX, Math.max(1, factor)),
  };
}

/**
 * Makes what every port of switches is shown as, in the order of the ports.
 * @throws InputError for a key that gives two of them one alias: hosts would take them for one link.
 */
export function shownPorts(relative: RelativeDocument, ports: readonly RatedPort[]): ShownPort[] {
  const known = new Map<number, string>();
  return ports.map((each) => {
    const shown = shownPort(relative, each);
    const [own, other] = [`${each.node}:${each.port}`, known.get(shown.alias)];
    if (other !== undefined) {
      const what = `telemetry.relative.key gives ${other} and ${own} one alias`;
      throw new InputError(`${what}: take another`);
    }
    known.set(shown.alias, own);
    return shown;
  });
}

const bytesOf = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** Scales an amount as the switch does. Exact for amounts below 2^53 / {@link ShownPort.factor}. */
export const relativeAmount = (amount: number, { factor }: ShownPort): number =>
  Math.floor((amount * factor) / ONE);
