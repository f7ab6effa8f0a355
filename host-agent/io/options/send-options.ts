import { milliseconds } from '../../../common/units/units';
import type { BitsPerSecond, Bytes } from '../../../common/units/units';
import type { AdmissionOptions } from '../../path/admission';
import { withHostDefaults } from '../../settings/settings';
import type { Settings } from '../../settings/settings';

/** Amount of traffic: so many bytes per flow, or for so long. */
export type TrafficAmount =
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  | { readonly kind: 'time'; readonly seconds: number };

/** Flows that an agent sends, as a command line describes them. */
export interface SendOptions {
  readonly destination: string;
  /** MAC address of the next hop; found by the kernel's tables or ARP unless given. */
  readonly peerMac?: string;
  readonly amount: TrafficAmount;
  readonly parallel: number;
  /** Flows in all, of which no more than `parallel` run at a time. Default: as many. */
  readonly flows?: number;
  /** Class of the flows. Default: 0. */
  readonly dscp?: number;
  /** Flows wait until their path has room. Default: they begin at once. */
  readonly admission?: AdmissionOptions;
  /** Limit per flow, in bits of the wire per second. */
  readonly rate?: BitsPerSecond;
  /** Id of the first flow; random unless given. */
  readonly firstFlow?: number;
  /** Longest time without an acknowledgement before a flow fails. */
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
  /** Unix time in seconds at which flows begin; at once unless it is in the future. */
  readonly startAt?: number;
  /** For so long a flow that does not count goes before them. Default: none does. */
  readonly warmUpSeconds?: number;
}

const SECONDS = 10;

/** The flows that leave a host, as its settings have them. */
export function sendOptions(destination: string, settings: Settings): SendOptions {
  const {
    bytes,
    time = SECONDS,
    parallel,
    timeout,
    interval,
    ...rest
  } = withHostDefaults(settings);
  const { peerMac, rate, flows, dscp, firstFlow, startAt, warmUp } = rest;
  return {
    destination,
    amount: bytes === undefined ? { kind: 'time', seconds: time } : { kind: 'bytes', bytes },
    parallel,
    timeoutSeconds: timeout,
    intervalSeconds: interval,
    ...(peerMac !== undefined && { peerMac }),
    ...(rate !== undefined && { rate }),
    ...(flows !== undefined && { flows }),
    ...(dscp !== undefined && { dscp }),
    ...(firstFlow !== undefined && { firstFlow }),
    ...(startAt !== undefined && { startAt }),
    ...(warmUp !== undefined && { warmUpSeconds: warmUp }),
    ...(rest.admitBelow !== undefined && { admission: admissionOf(rest.admitBelow, rest) }),
  };
}

function admissionOf(loadBelow: number, { admitWithinMs: within }: Settings): AdmissionOptions {
  return { loadBelow, ...(within !== undefined && { within: milliseconds(within) }) };
}
