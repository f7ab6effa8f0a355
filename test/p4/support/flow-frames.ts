import { internetChecksum } from '../../../common/wire/ip/checksum';
import { frameOf } from './telemetry-packet';
import type { PacketPlan } from './telemetry-packet';

const IP_AT = 14;
const IPV4_LENGTH = 20;
const IPV6_LENGTH = 40;
const CHECKSUM_AT = IP_AT + 10;

/** Name of one UDP flow between the hosts of {@link frameOf}. */
export interface FlowName {
  readonly family: 4 | 6;
  /** The last byte of the source address. */
  readonly host: number;
  readonly srcPort: number;
}

/** Neighbouring hosts that count their ports upwards, as hosts do. */
export function neighbouringFlows(family: 4 | 6, count: number): readonly FlowName[] {
  return Array.from({ length: count }, (_, i) => ({
    family,
    host: 1 + (i % 16),
    srcPort: 0xc000 + Math.floor(i / 16),
  }));
}

/** A data packet of the flow. */
export const dataFrame = (flow: FlowName): Uint8Array =>
  flowFrame(flow, { dscp: 0, telemetry: undefined, payload: new Uint8Array(40) });

/** A packet of the flow with telemetry and without data, as a probe is. */
export const probeFrame = (flow: FlowName): Uint8Array =>
  flowFrame(flow, { dscp: 0, telemetry: PROBE, payload: new Uint8Array(0) });

/** A data packet of the flow, with the DSCP that asks switches for answers. */
export const subscriberFrame = (flow: FlowName): Uint8Array =>
  flowFrame(flow, { dscp: FEEDBACK_DSCP, telemetry: undefined, payload: new Uint8Array(40) });

const FEEDBACK_DSCP = 0x1b;

const PROBE = {
  set: 'base',
  hops: 0,
  remainingHops: 4,
  flags: 0,
  dsFlags: 0,
  originalDscp: 0,
} as const;

type Rest = Pick<PacketPlan, 'dscp' | 'telemetry' | 'payload'>;

function flowFrame({ family, host, srcPort }: FlowName, rest: Rest): Uint8Array {
  const frame = frameOf({ family, transport: 'udp', optionWords: 0, ...rest });
  const view = new DataView(frame.buffer, frame.byteOffset);
  const isIpv4 = family === 4;
  view.setUint8(IP_AT + (isIpv4 ? 15 : 23), host);
  view.setUint16(IP_AT + (isIpv4 ? IPV4_LENGTH : IPV6_LENGTH), srcPort);
  if (!isIpv4) return frame;
  view.setUint16(CHECKSUM_AT, 0);
  view.setUint16(CHECKSUM_AT, internetChecksum(frame.subarray(IP_AT, IP_AT + IPV4_LENGTH)));
  return frame;
}
