import { CCM_TPID } from '../../wire/coordination/ccm-tag';
import { CCM_PORT } from '../../wire/coordination/ccm-notification';
import { ROCE_PORT } from '../../wire/roce/bth';
import { CSIG_TPID } from '../../wire/csig/csig';
import type { CsigDialect } from '../../wire/csig/csig';
import { IFA_PROTOCOL } from '../../wire/ifa/ifa2';
import { HPCC_TRANSPORT_PORT } from '../../wire/hpcc/hpcc-transport';
import { INT_DSCP } from '../../wire/int/int-md';
import { DEFAULT_HOP_UNITS } from '../../hop/hop-units';
import type { HopUnits } from '../../hop/hop-units';

/**
 * Code points by which telemetry is recognised. Most are not assigned, so all are configuration;
 * the defaults are this project's.
 */
export interface DecodeSettings {
  readonly intDscp: number;
  readonly intPort: number;
  /** The first 64 bits after TCP or UDP that announce INT, if the domain uses a probe marker. */
  readonly intMarker: readonly [number, number] | undefined;
  /** EtherType by which a GRE header announces INT. */
  readonly intGreProtocol: number;
  readonly transportPort: number;
  readonly rocePort: number;
  readonly reportPort: number;
  readonly ccmPort: number;
  readonly ccmTpid: number;
  readonly csigTpid: number;
  readonly csigDialect: CsigDialect;
  /** EtherType of the wide tags of CSIG, which the UEC's dialect has. */
  readonly csigWideTpid: number;
  readonly ifaProtocols: readonly number[];
  /**
   * Form of HPCC's padding. It cannot be distinguished from other bytes, so it is read only when it
   * is requested; the other formats are then not searched for.
   */
  readonly padding: 'none' | 'published' | 'aligned' | 'ns3';
  readonly units: HopUnits;
}

/** The project's own numbers; HPCC's padding is not looked for. */
export const DEFAULT_DECODE_SETTINGS: DecodeSettings = {
  intDscp: INT_DSCP,
  intPort: 50000,
  intMarker: undefined,
  intGreProtocol: 0x88b6,
  transportPort: HPCC_TRANSPORT_PORT,
  rocePort: ROCE_PORT,
  reportPort: 50003,
  ccmPort: CCM_PORT,
  ccmTpid: CCM_TPID,
  csigTpid: CSIG_TPID,
  csigDialect: 'ietf',
  csigWideTpid: 0xccde,
  ifaProtocols: [IFA_PROTOCOL, 131],
  padding: 'none',
  units: DEFAULT_HOP_UNITS,
};
