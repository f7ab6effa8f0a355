import type { BitsPerSecond } from '../../common/units/units';
import { DEFAULT_HOP_UNITS } from '../../common/hop/hop-units';
import type { HopUnits } from '../../common/hop/hop-units';
import { DEFAULT_CSIG_DOMAIN } from '../../common/wire/csig/csig-domain';
import type { CsigDomain } from '../../common/wire/csig/csig-domain';
import type { Carrier } from './carrier';
import { csigCarrier } from './csig-carrier';
import { ifaCarrier } from './ifa-carrier';
import { INT_CARRIER, WIDE_INT_CARRIER } from './int-carrier';
import { ioamCarrier } from './ioam-carrier';
import { paddingCarrier } from './padding-carrier';
import { IP_LAYERS, USID_LAYER } from './network-layer';
import type { IpVersion } from './network-layer';
import { ofWholePaths } from './whole-paths';

/** Names of all carriers. */
export const CARRIERS = ['int', 'ioam', 'ifa', 'padding', 'csig'] as const;

export type CarrierName = (typeof CARRIERS)[number];

/** Name of the carrier, and the settings that its packets leave to be agreed upon. */
export interface CarrierOptions {
  readonly name: CarrierName;
  /**
   * Capacity of links whose packets do not tell: all in IOAM, and those of uncommon rates in the padding
   * and IFA. Default: that of the host's own link.
   */
  readonly capacityOf?: HopUnits['capacityOf'];
  /** Meaning of CSIG's buckets. Default: {@link DEFAULT_CSIG_DOMAIN}. */
  readonly csig?: CsigDomain;
  /** Version of IP under INT; the others live in the version that they are defined for. Default: IPv4. */
  readonly ipVersion?: IpVersion | undefined;
  /** Over IPv6 hosts have addresses at the end of paths of uSIDs (common/wire/ip/usid.ts). Default false. */
  readonly usids?: boolean | undefined;
}

/** Properties of the host that a carrier needs. */
interface CarrierHost {
  readonly linkRate: BitsPerSecond;
  /** Switches that may answer. */
  readonly hopLimit: number;
  /** True if switches are asked how long packets wait. */
  readonly asksSojourn: boolean;
  /** True if switches choose which packets they write into. Default false. */
  readonly switchesChoose?: boolean;
}

interface Making extends CarrierHost {
  readonly units: HopUnits;
  readonly csig: CsigDomain;
  readonly ipVersion: IpVersion;
  readonly usids: boolean;
}

/** A new carrier is a file of its own and a line here. */
const MAKERS: Readonly<Record<CarrierName, (of: Making) => Carrier>> = {
  int: ({ asksSojourn, ipVersion, usids }) => ({
    ...(asksSojourn ? WIDE_INT_CARRIER : INT_CARRIER),
    network: usids ? USID_LAYER : IP_LAYERS[ipVersion],
  }),
  ioam: ({ units, hopLimit }) => ioamCarrier(units, hopLimit),
  ifa: ({ units }) => ifaCarrier(units),
  padding: ({ units }) => paddingCarrier(units),
  csig: ({ csig }) => csigCarrier(csig),
};

/** The carrier of a host. */
export function newCarrier(options: CarrierOptions, host: CarrierHost): Carrier {
  const { name, capacityOf = () => host.linkRate, csig = DEFAULT_CSIG_DOMAIN } = options;
  const { ipVersion = 'ipv4', usids = false } = options;
  const units = { ...DEFAULT_HOP_UNITS, capacityOf };
  const carrier = MAKERS[name]({ ...host, csig, units, ipVersion, usids });
  return host.switchesChoose === true ? ofWholePaths(carrier) : carrier;
}
