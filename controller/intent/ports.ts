import type { Attachment, Link } from '../../common/topology/topology';
import type { BitsPerSecond } from '../../common/units/units';

/** Wanted setting of a switch's port, from its link. */
export interface PortSetting {
  readonly port: number;
  /** Speed of the port, which both directions have. */
  readonly rate: BitsPerSecond;
}

/** A leaf of a port's configuration that is not as wanted. */
export interface PortChange {
  readonly port: number;
  /** Name of its interface. */
  readonly name: string;
  readonly leaf: 'port-speed' | 'enabled';
  readonly found: string;
  readonly wanted: string;
}

/**
 * The ports that have a link. A link out of service stays enabled: it is routes that avoid it, and a port
 * that was switched off could not be seen to come back.
 */
export const portSettings = (ports: readonly Attachment[]): readonly PortSetting[] =>
  ports.map(({ port, link }) => ({ port, rate: portSpeed(link) }));

/** Speed of a link's ports: that of its faster direction. */
export const portSpeed = ({ rate, backRate = rate }: Link): BitsPerSecond =>
  Math.max(rate, backRate);

/** The speeds of ports that Stratum tells and takes over gNMI, in Gb/s. */
const SPEEDS = [10, 20, 25, 40, 50, 100];

/**
 * The identity of OpenConfig for a speed (module openconfig-if-ethernet).
 * @returns undefined for speeds that Stratum has no name for.
 */
export function speedName(rate: BitsPerSecond): string | undefined {
  const gbps = rate / 1e9;
  return SPEEDS.includes(gbps) ? `SPEED_${gbps}GB` : undefined;
}

/** The least usual speed of a port that carries so much; undefined above 400 Gb/s. */
export const leastSpeed = (rate: BitsPerSecond): BitsPerSecond | undefined =>
  [10, 25, 40, 50, 100, 200, 400].map((gbps) => gbps * 1e9).find((speed) => speed >= rate);
